import { stringMember } from '../../json/node.ts';
import { itemsAt } from './discriminator-path.ts';
import type {
  BindingPlan,
  DiscriminatorPlan,
  ElementPlan,
  SliceTest,
  Step,
  TargetPlan,
  TypePlan,
} from './plan.ts';
import { itemsOf, typeOfItem, type Item } from './items.ts';
import type { Library } from './library.ts';
import type { Target } from './references.ts';
import { matchesPattern, equalsFixedValue } from './values.ts';

/** True or false; undefined if the available definitions do not decide it. */
export type MaybeKnown = boolean | undefined;

/** Lookups of the walk that discriminators need. */
export interface DiscriminatorContext {
  readonly library: Library;
  target(item: Item): Target | undefined;
  /** Returns whether a value fulfils a profile; undefined if a definition is not available. */
  fulfils(canonical: string, item: Item): MaybeKnown;
  /** Returns whether a code of the value is in the bound value set. */
  isBound(item: Item, binding: BindingPlan): MaybeKnown;
}

/** Returns the values at each discriminator's path. */
export function readDiscriminators(
  item: Item,
  discriminators: readonly DiscriminatorPlan[],
): readonly (readonly Item[])[] {
  return discriminators.map(({ steps }) => (steps ? itemsAt(item, steps) : []));
}

/**
 * Returns whether a value is in a slice, by its discriminators.
 *
 * @param discriminatorItems - The values at each discriminator's path.
 */
export function isIn(
  slice: ElementPlan,
  discriminators: readonly DiscriminatorPlan[],
  item: Item,
  discriminatorItems: readonly (readonly Item[])[],
  context: DiscriminatorContext,
): MaybeKnown {
  const tests = testsOf(slice, discriminators, context.library);
  return everyAnswer(discriminators.entries(), true, ([index, discriminator]) =>
    isSelectedBy(discriminator, tests[index], item, discriminatorItems[index] ?? [], context),
  );
}

function isSelectedBy(
  { type, resolves }: DiscriminatorPlan,
  test: SliceTest | undefined,
  item: Item,
  items: readonly Item[],
  context: DiscriminatorContext,
): MaybeKnown {
  if (!test) return undefined;
  const { urls, plans } = test;
  // The URL of an extension is the URL of its profile, even if the profile is not available.
  if (urls.length > 0) return urls.includes(stringMember(item.node, 'url') ?? '');
  switch (type) {
    case 'value':
    case 'pattern':
      return resolves ? undefined : someAnswer(plans, (plan) => someMatches(plan, items, context));
    case 'exists':
      return someAnswer(plans, ({ min, max }) => {
        if (max === 0) return items.length === 0;
        return min > 0 ? items.length > 0 : undefined;
      });
    case 'type':
      return someAnswer(plans, ({ types }) =>
        someAnswer(items, (item) => hasType(item, types, resolves, context)),
      );
    case 'profile':
      return someAnswer(plans, ({ types }) =>
        someAnswer(items, (item) => hasProfile(item, types, resolves, context)),
      );
    default:
      return undefined;
  }
}

/** Combines answers with "or": false only if all are false, undefined for an empty list. */
function someAnswer<One>(candidates: readonly One[], evaluate: (candidate: One) => MaybeKnown): MaybeKnown {
  if (candidates.length === 0) return undefined;
  let answer: MaybeKnown = false;
  for (const candidate of candidates) {
    const candidateAnswer = evaluate(candidate);
    if (candidateAnswer === true) return true;
    if (candidateAnswer === undefined) answer = undefined;
  }
  return answer;
}

/** Returns the elements that discriminators select in a slice. They are the same for every value. */
function testsOf(
  slice: ElementPlan,
  discriminators: readonly DiscriminatorPlan[],
  library: Library,
): readonly (SliceTest | undefined)[] {
  return (slice.tests ??= discriminators.map(
    ({ path, steps }) =>
      steps && {
        urls: path === 'url' ? urlsOf(slice) : [],
        plans: plansAt(slice, steps, library),
      },
  ));
}

/** Returns the elements of a slice at a path, including elements in the profiles of their types. */
function plansAt(slice: ElementPlan, steps: readonly Step[], library: Library): readonly ElementPlan[] {
  let plans: readonly ElementPlan[] = [slice];
  for (const step of steps) plans = plans.flatMap((plan) => planBelow(plan, step, library));
  return plans;
}

function planBelow(plan: ElementPlan, step: Step, library: Library): readonly ElementPlan[] {
  if (step.kind === 'type') return [plan];
  const name = step.kind === 'name' ? step.name : 'extension';
  const ownChildren = childrenNamed(plan, name);
  const children = ownChildren.length > 0 ? ownChildren : childrenNamed(profiledRoot(plan, library), name);
  if (step.kind === 'name') return children;
  return children.flatMap(({ slices }) => slices.filter((slice) => urlsOf(slice).includes(step.url)));
}

function childrenNamed(plan: ElementPlan | undefined, name: string): readonly ElementPlan[] {
  return (plan?.children ?? []).filter((child) => child.name === name);
}

/** Returns the URLs of the extensions in a slice. */
function urlsOf({ types }: ElementPlan): string[] {
  return types.flatMap(({ code, profiles }) =>
    code === 'Extension' ? profiles.map((canonical) => canonical.replace(/\|.*$/, '')) : [],
  );
}

/** Returns the root of the only profile of an element's values. */
function profiledRoot({ types }: ElementPlan, library: Library): ElementPlan | undefined {
  const [canonical, secondCanonical] = types.flatMap(({ profiles }) => profiles);
  return canonical === undefined || secondCanonical !== undefined
    ? undefined
    : library.profile(canonical)?.root;
}

/** Returns whether any value matches the element: its fixed value, pattern, codes and children. */
function someMatches(plan: ElementPlan, items: readonly Item[], context: DiscriminatorContext): MaybeKnown {
  if (hasShape(plan, context.library))
    return items.length > 0 && someAnswer(items, (item) => matchesPlan(plan, item, context));
  if (plan.max === 0) return items.length === 0;
  return plan.min > 0 ? items.length > 0 : undefined;
}

/** Returns true if an element has a rule that values can be compared with. */
function hasShape(plan: ElementPlan, library: Library): boolean {
  const { fixed, pattern, binding } = plan;
  return (
    fixed !== undefined ||
    pattern !== undefined ||
    binding?.strength === 'required' ||
    partsOf(plan, library).length > 0
  );
}

/** Returns the children with such a rule, or the children in the profile of the element's values. */
function partsOf(plan: ElementPlan, library: Library): readonly ElementPlan[] {
  if (plan.parts) return plan.parts;
  // Stops at a profile that refers to itself.
  plan.parts = [];
  const listShapedChildren = ({ children }: ElementPlan) =>
    children.filter((child) => hasShape(child, library));
  const ownParts = listShapedChildren(plan);
  const root = ownParts.length > 0 ? undefined : profiledRoot(plan, library);
  return (plan.parts = root ? listShapedChildren(root) : ownParts);
}

function matchesPlan(plan: ElementPlan, item: Item, context: DiscriminatorContext): MaybeKnown {
  const { fixed, pattern, binding } = plan;
  if (fixed !== undefined) return equalsFixedValue(item.node, fixed);
  if (pattern !== undefined) return matchesPattern(item.node, pattern);
  const isBound = binding?.strength === 'required' ? context.isBound(item, binding) : true;
  if (isBound === false) return false;
  return everyAnswer(partsOf(plan, context.library), isBound, (child) => {
    const childItems = itemsOf(item, child.name, child.isChoice);
    if (childItems.length > 0)
      return someAnswer(childItems, (childItem) => matchesPlan(child, childItem, context));
    return child.fixed === undefined && child.pattern === undefined;
  });
}

/** Combines answers with "and", starting from `before`: false if one is false. */
function everyAnswer<One>(
  candidates: Iterable<One>,
  before: MaybeKnown,
  evaluate: (candidate: One) => MaybeKnown,
): MaybeKnown {
  let answer = before;
  for (const candidate of candidates) {
    const candidateAnswer = evaluate(candidate);
    if (candidateAnswer === false) return false;
    if (candidateAnswer === undefined) answer = undefined;
  }
  return answer;
}

function hasType(
  item: Item,
  types: readonly TypePlan[],
  resolves: boolean,
  context: DiscriminatorContext,
): MaybeKnown {
  if (!resolves) {
    const type = typeOfItem(item);
    return type === undefined ? undefined : types.some(({ code }) => code === type);
  }
  const type = context.target(item)?.type;
  if (type === undefined) return undefined;
  return someAnswer(
    types.flatMap(({ targets }) => targets),
    ({ canonical }) => {
      const expectedType = context.library.typeOf(canonical);
      return expectedType === undefined ? undefined : expectedType === type;
    },
  );
}

function hasProfile(
  item: Item,
  types: readonly TypePlan[],
  resolves: boolean,
  context: DiscriminatorContext,
): MaybeKnown {
  if (!resolves) {
    return someAnswer(
      types.flatMap(({ profiles }) => profiles),
      (canonical) => context.fulfils(canonical, item),
    );
  }
  const target = context.target(item);
  return someAnswer(
    types.flatMap(({ targets }) => targets),
    (targetPlan) => isTarget(target, targetPlan, context),
  );
}

/** Returns whether a referenced resource matches a target: by its type, or by the profile. */
export function isTarget(
  target: Target | undefined,
  { canonical, isOfR4 }: TargetPlan,
  context: DiscriminatorContext,
): MaybeKnown {
  const type = context.library.typeOf(canonical);
  if (target?.type !== undefined && type !== undefined && target.type !== type) return false;
  if (isOfR4) return target?.type === undefined || type === undefined ? undefined : true;
  return target?.item ? context.fulfils(canonical, target.item) : undefined;
}
