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
import { holdsPattern, isFixed } from './values.ts';

/** Whether something is so; undefined where that cannot be told with what is at hand. */
export type Answer = boolean | undefined;

/** What the walk through a record knows. */
export interface Asked {
  readonly library: Library;
  target(item: Item): Target | undefined;
  /** Whether a value fulfils a profile; undefined where the profile, or something that it needs, is not at hand. */
  fulfils(canonical: string, item: Item): Answer;
  /** Whether codes are in a value set that is bound. */
  isBound(item: Item, binding: BindingPlan): Answer;
}

/** What discriminators lead to in a value, one for each. */
export function lookAt(
  item: Item,
  discriminators: readonly DiscriminatorPlan[],
): readonly (readonly Item[])[] {
  return discriminators.map(({ steps }) => (steps ? itemsAt(item, steps) : []));
}

/** Whether a value is in a slice, by its discriminators; `looked` is what these lead to in the value. */
export function isIn(
  slice: ElementPlan,
  discriminators: readonly DiscriminatorPlan[],
  item: Item,
  looked: readonly (readonly Item[])[],
  asked: Asked,
): Answer {
  const tests = testsOf(slice, discriminators, asked.library);
  return allOf(discriminators.entries(), true, ([at, discriminator]) =>
    isToldBy(discriminator, tests[at], item, looked[at] ?? [], asked),
  );
}

function isToldBy(
  { type, resolves }: DiscriminatorPlan,
  test: SliceTest | undefined,
  item: Item,
  found: readonly Item[],
  asked: Asked,
): Answer {
  if (!test) return undefined;
  const { urls, plans } = test;
  // An extension has the address of its profile, whether that is at hand or not.
  if (urls.length > 0) return urls.includes(stringMember(item.node, 'url') ?? '');
  switch (type) {
    case 'value':
    case 'pattern':
      return resolves ? undefined : anyOf(plans, (plan) => holdsAny(plan, found, asked));
    case 'exists':
      return anyOf(plans, ({ min, max }) => {
        if (max === 0) return found.length === 0;
        return min > 0 ? found.length > 0 : undefined;
      });
    case 'type':
      return anyOf(plans, ({ types }) => anyOf(found, (one) => hasType(one, types, resolves, asked)));
    case 'profile':
      return anyOf(plans, ({ types }) => anyOf(found, (one) => hasProfile(one, types, resolves, asked)));
    default:
      return undefined;
  }
}

/** Of several, whether it is so for any: false only where it is for none. Undefined for none at all. */
function anyOf<One>(all: readonly One[], ask: (one: One) => Answer): Answer {
  if (all.length === 0) return undefined;
  let answer: Answer = false;
  for (const one of all) {
    const own = ask(one);
    if (own === true) return true;
    if (own === undefined) answer = undefined;
  }
  return answer;
}

/** What discriminators lead to in a slice is the same for every value. */
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

/** The elements of a slice that a path leads to, into the profiles of their types. */
function plansAt(slice: ElementPlan, steps: readonly Step[], library: Library): readonly ElementPlan[] {
  let plans: readonly ElementPlan[] = [slice];
  for (const step of steps) plans = plans.flatMap((plan) => planBelow(plan, step, library));
  return plans;
}

function planBelow(plan: ElementPlan, step: Step, library: Library): readonly ElementPlan[] {
  if (step.is === 'type') return [plan];
  const name = step.is === 'name' ? step.name : 'extension';
  const own = childrenNamed(plan, name);
  const all = own.length > 0 ? own : childrenNamed(profiledRoot(plan, library), name);
  if (step.is === 'name') return all;
  return all.flatMap(({ slices }) => slices.filter((slice) => urlsOf(slice).includes(step.url)));
}

function childrenNamed(plan: ElementPlan | undefined, name: string): readonly ElementPlan[] {
  return (plan?.children ?? []).filter((child) => child.name === name);
}

/** The addresses of the extensions that a slice is of. */
function urlsOf({ types }: ElementPlan): string[] {
  return types.flatMap(({ code, profiles }) =>
    code === 'Extension' ? profiles.map((one) => one.replace(/\|.*$/, '')) : [],
  );
}

/** The root of the one profile that a value of the element fulfils. */
function profiledRoot({ types }: ElementPlan, library: Library): ElementPlan | undefined {
  const [only, more] = types.flatMap(({ profiles }) => profiles);
  return only === undefined || more !== undefined ? undefined : library.profile(only)?.root;
}

/** Whether any value is as the element says: by what is fixed, its pattern, its codes, or what is below it. */
function holdsAny(plan: ElementPlan, found: readonly Item[], asked: Asked): Answer {
  if (hasShape(plan, asked.library))
    return found.length > 0 && anyOf(found, (item) => holds(plan, item, asked));
  if (plan.max === 0) return found.length === 0;
  return plan.min > 0 ? found.length > 0 : undefined;
}

/** Whether an element says something that values can be compared with. */
function hasShape(plan: ElementPlan, library: Library): boolean {
  const { fixed, pattern, binding } = plan;
  return (
    fixed !== undefined ||
    pattern !== undefined ||
    binding?.strength === 'required' ||
    partsOf(plan, library).length > 0
  );
}

/** The elements below one that say something, or those of the profile that its values fulfil. */
function partsOf(plan: ElementPlan, library: Library): readonly ElementPlan[] {
  if (plan.parts) return plan.parts;
  // A profile whose values fulfil itself says nothing more.
  plan.parts = [];
  const shaped = ({ children }: ElementPlan) => children.filter((child) => hasShape(child, library));
  const own = shaped(plan);
  const root = own.length > 0 ? undefined : profiledRoot(plan, library);
  return (plan.parts = root ? shaped(root) : own);
}

function holds(plan: ElementPlan, item: Item, asked: Asked): Answer {
  const { fixed, pattern, binding } = plan;
  if (fixed !== undefined) return isFixed(item.node, fixed);
  if (pattern !== undefined) return holdsPattern(item.node, pattern);
  const bound = binding?.strength === 'required' ? asked.isBound(item, binding) : true;
  if (bound === false) return false;
  return allOf(partsOf(plan, asked.library), bound, (child) => {
    const below = itemsOf(item, child.name, child.isChoice);
    if (below.length > 0) return anyOf(below, (one) => holds(child, one, asked));
    return child.fixed === undefined && child.pattern === undefined;
  });
}

/** Of several, whether it is so for each, as far as it was `before`: false where it is not for one. */
function allOf<One>(all: Iterable<One>, before: Answer, ask: (one: One) => Answer): Answer {
  let answer = before;
  for (const one of all) {
    const own = ask(one);
    if (own === false) return false;
    if (own === undefined) answer = undefined;
  }
  return answer;
}

function hasType(item: Item, types: readonly TypePlan[], resolves: boolean, asked: Asked): Answer {
  if (!resolves) {
    const type = typeOfItem(item);
    return type === undefined ? undefined : types.some(({ code }) => code === type);
  }
  const type = asked.target(item)?.type;
  if (type === undefined) return undefined;
  return anyOf(
    types.flatMap(({ targets }) => targets),
    ({ canonical }) => {
      const wanted = asked.library.typeOf(canonical);
      return wanted === undefined ? undefined : wanted === type;
    },
  );
}

function hasProfile(item: Item, types: readonly TypePlan[], resolves: boolean, asked: Asked): Answer {
  if (!resolves) {
    return anyOf(
      types.flatMap(({ profiles }) => profiles),
      (one) => asked.fulfils(one, item),
    );
  }
  const led = asked.target(item);
  return anyOf(
    types.flatMap(({ targets }) => targets),
    (one) => isTarget(led, one, asked),
  );
}

/** Whether a resource that is referred to is what a type names: by its own type alone, or by the profile. */
export function isTarget(led: Target | undefined, { canonical, isOfR4 }: TargetPlan, asked: Asked): Answer {
  const type = asked.library.typeOf(canonical);
  if (led?.type !== undefined && type !== undefined && led.type !== type) return false;
  if (isOfR4) return led?.type === undefined || type === undefined ? undefined : true;
  return led?.item ? asked.fulfils(canonical, led.item) : undefined;
}
