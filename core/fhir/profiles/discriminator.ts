import { stringMember } from '../../json/node.ts';
import type { BindingPlan, ElementPlan, TypePlan } from './plan.ts';
import { itemsAt, stepsOf, type Step } from './discriminator-path.ts';
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

/** Whether a value is in a slice, by one of its discriminators. */
export function isIn(
  slice: ElementPlan,
  discriminator: { readonly type: string; readonly path: string },
  item: Item,
  asked: Asked,
): Answer {
  const steps = stepsOf(discriminator.path);
  if (!steps) return undefined;
  const urls = discriminator.path === 'url' ? urlsOf(slice) : [];
  // An extension has the address of its profile, whether that is at hand or not.
  if (urls.length > 0) return urls.includes(stringMember(item.node, 'url') ?? '');
  const resolves = steps.at(-1)?.is === 'resolve';
  const inner = resolves ? steps.slice(0, -1) : steps;
  if (inner.some(({ is }) => is === 'resolve')) return undefined;
  const plans = plansOf(slice, discriminator.path, inner, asked.library);
  const found = foundIn(item, discriminator.path, inner);
  switch (discriminator.type) {
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

/** What a path leads to in a value is the same for every slice. */
const below = new WeakMap<Item, Map<string, readonly Item[]>>();

function foundIn(item: Item, path: string, steps: readonly Step[]): readonly Item[] {
  let own = below.get(item);
  if (!own) below.set(item, (own = new Map<string, readonly Item[]>()));
  let found = own.get(path);
  if (!found) own.set(path, (found = itemsAt([item], steps)));
  return found;
}

/** What a path leads to in a slice is the same for every value. */
const led = new WeakMap<ElementPlan, Map<string, readonly ElementPlan[]>>();

function plansOf(
  slice: ElementPlan,
  path: string,
  steps: readonly Step[],
  library: Library,
): readonly ElementPlan[] {
  let own = led.get(slice);
  if (!own) led.set(slice, (own = new Map<string, readonly ElementPlan[]>()));
  let plans = own.get(path);
  if (!plans) own.set(path, (plans = plansAt([slice], steps, library)));
  return plans;
}

/** The elements of a slice that a path leads to, into the profiles of their types. */
function plansAt(
  plans: readonly ElementPlan[],
  steps: readonly Step[],
  library: Library,
): readonly ElementPlan[] {
  return steps.reduce<readonly ElementPlan[]>(
    (at, step) => at.flatMap((plan) => planBelow(plan, step, library)),
    plans,
  );
}

function planBelow(plan: ElementPlan, step: Step, library: Library): readonly ElementPlan[] {
  if (step.is === 'type') return [plan];
  if (step.is === 'resolve') return [];
  const name = step.is === 'name' ? step.name : 'extension';
  const own = childrenNamed(plan, name);
  const all = own.length > 0 ? own : childrenNamed(profiledRoot(plan, library), name);
  if (step.is === 'name') return all;
  return all.flatMap(({ slices }) => slices.filter((slice) => isOfUrl(slice, step.url)));
}

function childrenNamed(plan: ElementPlan | undefined, name: string): readonly ElementPlan[] {
  return (plan?.children ?? []).filter((child) => child.name === name);
}

function isOfUrl(slice: ElementPlan, url: string): boolean {
  return urlsOf(slice).includes(url);
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

const shaped = new WeakMap<ElementPlan, boolean>();

/** Whether an element says something that values can be compared with. */
function hasShape(plan: ElementPlan, library: Library): boolean {
  const known = shaped.get(plan);
  if (known !== undefined) return known;
  // A profile whose values fulfil itself says nothing more.
  shaped.set(plan, false);
  const { fixed, pattern, binding } = plan;
  const own =
    fixed !== undefined ||
    pattern !== undefined ||
    binding?.strength === 'required' ||
    partsOf(plan, library).length > 0;
  shaped.set(plan, own);
  return own;
}

/** The elements below one that say something, or those of the profile that its values fulfil. */
function partsOf(plan: ElementPlan, library: Library): readonly ElementPlan[] {
  const own = plan.children.filter((child) => hasShape(child, library));
  if (own.length > 0) return own;
  return (profiledRoot(plan, library)?.children ?? []).filter((child) => hasShape(child, library));
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

function allOf<One>(all: readonly One[], before: Answer, ask: (one: One) => Answer): Answer {
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
    (one) => {
      const wanted = asked.library.typeOf(one);
      return wanted === undefined ? undefined : wanted === type;
    },
  );
}

function hasProfile(item: Item, types: readonly TypePlan[], resolves: boolean, asked: Asked): Answer {
  const wanted = types.flatMap(({ profiles, targets }) => (resolves ? targets : profiles));
  if (!resolves) return anyOf(wanted, (one) => asked.fulfils(one, item));
  const led = asked.target(item);
  return anyOf(wanted, (one) => isTarget(led, one, asked));
}

/** Whether a resource that is referred to is what a canonical names: by its type alone, or by the profile. */
export function isTarget(led: Target | undefined, canonical: string, asked: Asked): Answer {
  const type = asked.library.typeOf(canonical);
  if (led?.type !== undefined && type !== undefined && led.type !== type) return false;
  if (isOfR4(canonical)) return led?.type === undefined || type === undefined ? undefined : true;
  return led?.item ? asked.fulfils(canonical, led.item) : undefined;
}

/** Whether a canonical is of a type itself, rather than of a profile on it. */
function isOfR4(canonical: string): boolean {
  return /^http:\/\/hl7\.org\/fhir\/StructureDefinition\/[A-Z][A-Za-z]+(?:\|.*)?$/.test(canonical);
}
