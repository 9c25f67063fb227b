import { defineMessages, type Message } from '../../text/message.ts';
import { discriminatorOf } from './discriminator-path.ts';
import { readStructure, type ElementDefinition, type StructureDefinition } from './element-definition.ts';
import type {
  ConstraintPlan,
  ElementPlan,
  ProfileName,
  ProfilePlan,
  SlicingPlan,
  TargetPlan,
  TypePlan,
} from './plan.ts';

const needs = defineMessages('needs', {
  snapshot: 'a snapshot of the profile, because a differential alone can’t be checked',
  reslicing: 're-slicing, which is not supported',
});

/** Answers which rules R4 itself already has. */
export interface R4Rules {
  /** Returns true for an invariant of R4 itself. */
  isInvariant(key: string, expression: string): boolean;
  /** Returns true if R4 has a required binding of the element to the value set. */
  isBound(path: string, valueSet: string): boolean;
}

type MutablePlan = { -readonly [Name in keyof ElementPlan]: ElementPlan[Name] };

/** Canonicals of R4's own definitions. R4's rules validate those. */
const r4Canonical = /^(?:http:\/\/hl7\.org\/fhir\/StructureDefinition\/)?[A-Z][A-Za-z]*(?:\|.*)?$/;

/**
 * Compiles the snapshot of a StructureDefinition (FHIR R4 structuredefinition.html).
 *
 * Lists the parts that are not supported and compiles the remaining ones. Leaves out the rules of R4 itself.
 * Returns undefined for an invalid StructureDefinition or elements without ids.
 */
export function compileProfile(definition: unknown, r4: R4Rules): ProfilePlan | undefined {
  const structure = readStructure(definition);
  if (!structure) return undefined;
  const { url, version, type } = structure;
  const name = {
    canonical: version === undefined ? url : `${url}|${version}`,
    id: structure.id ?? url.slice(url.lastIndexOf('/') + 1),
  };
  const elements = structure.snapshot?.element ?? [];
  const [rootElement] = elements;
  if (!rootElement) {
    return { ...name, type, root: undefined, unsupported: [{ element: type, needs: needs.snapshot() }] };
  }
  const builder = new Builder(name, structure, r4);
  for (const element of elements) builder.add(element);
  return { ...name, type, root: builder.finish(rootElement.id), unsupported: builder.unsupported };
}

class Builder {
  readonly unsupported: { element: string; needs: Message }[] = [];
  private readonly profile: ProfileName;
  private readonly byId = new Map<string, MutablePlan>();
  private readonly contents: [MutablePlan, string][] = [];
  private readonly ownConstraints: ReadonlySet<string>;
  private readonly r4: R4Rules;

  constructor(profile: ProfileName, { differential }: StructureDefinition, r4: R4Rules) {
    this.profile = profile;
    this.r4 = r4;
    this.ownConstraints = new Set(
      (differential?.element ?? []).flatMap(({ id, constraint }) =>
        constraint.map(({ key }) => `${id} ${key}`),
      ),
    );
  }

  add(element: ElementDefinition): void {
    const { id } = element;
    if (isResliced(id)) {
      // The report of the slice covers its children.
      if (element.sliceName?.includes('/')) this.unsupported.push({ element: id, needs: needs.reslicing() });
      return;
    }
    const plan = planOf(element, this.profile, this.constraintsOf(element), this.r4);
    this.byId.set(id, plan);
    if (element.contentReference !== undefined) {
      this.contents.push([plan, element.contentReference.replace(/^[^#]*#/, '')]);
    }
    if (element.sliceName !== undefined) {
      const slicedElement = this.byId.get(id.slice(0, id.lastIndexOf(':')));
      if (slicedElement) slicedElement.slices = [...slicedElement.slices, plan];
    } else {
      const parent = this.byId.get(id.slice(0, id.lastIndexOf('.')));
      if (parent) parent.children = [...parent.children, plan];
    }
  }

  finish(rootId: string): ElementPlan | undefined {
    for (const [plan, id] of this.contents) plan.content = this.byId.get(id);
    const root = this.byId.get(rootId);
    if (root) markActive(root, new Set());
    return root;
  }

  private constraintsOf({ id, constraint }: ElementDefinition): ConstraintPlan[] {
    return constraint.flatMap(({ key, severity, human = key, expression, source }) => {
      const isOwn =
        source === undefined ? this.ownConstraints.has(`${id} ${key}`) : !r4Canonical.test(source);
      if (!isOwn || expression === undefined || this.r4.isInvariant(key, expression)) return [];
      return [{ key, severity: severity === 'warning' ? 'warning' : 'error', human, expression }];
    });
  }
}

/** Marks the elements with rules beyond R4, from the leaves to the root. */
function markActive(plan: MutablePlan, visited: Set<MutablePlan>): boolean {
  if (visited.has(plan)) return plan.isActive;
  visited.add(plan);
  // An element can have the content of its own parent. The walk follows it whenever it is reached.
  plan.isActive = hasRules(plan) || plan.content !== undefined;
  const children = plan.children as readonly MutablePlan[];
  plan.active = children.filter((child) => markActive(child, visited));
  for (const slice of plan.slices as readonly MutablePlan[]) markActive(slice, visited);
  plan.isActive ||= plan.active.length > 0;
  return plan.isActive;
}

function hasRules(plan: ElementPlan): boolean {
  const { min, max, fixed, pattern, binding, maxLength, minValue, maxValue, constraints, slices } = plan;
  return (
    min > 0 ||
    max < Infinity ||
    [fixed, pattern, binding, maxLength, minValue, maxValue].some((rule) => rule !== undefined) ||
    constraints.length > 0 ||
    slices.length > 0 ||
    plan.isChoice ||
    plan.isTyped
  );
}

function planOf(
  element: ElementDefinition,
  profile: ProfileName,
  constraints: readonly ConstraintPlan[],
  r4: R4Rules,
): MutablePlan {
  const { id, path, sliceName, base, min = 0, max = '*', maxLength } = element;
  const lastName = path.slice(path.lastIndexOf('.') + 1);
  const isChoice = lastName.endsWith('[x]');
  const isSlice = sliceName !== undefined;
  const types = element.type.map(({ code, profile: profiles, targetProfile }) => ({
    code,
    profiles: profiles.filter((canonical) => !r4Canonical.test(canonical)),
    targets: targetsUnlessAny(targetProfile),
  }));
  return {
    profile,
    id,
    isChoice,
    types,
    isTyped: types.some(isTyped),
    constraints,
    sliceName,
    name: isChoice ? lastName.slice(0, -3) : lastName,
    min: !isSlice && base?.min === min ? 0 : min,
    max: !isSlice && base?.max === max ? Infinity : max === '*' ? Infinity : Number(max),
    fixed: valueNamed(element, 'fixed'),
    pattern: valueNamed(element, 'pattern'),
    minValue: valueNamed(element, 'minValue'),
    maxValue: valueNamed(element, 'maxValue'),
    maxLength,
    binding: bindingOf(element, r4),
    slicing: slicingOf(element),
    children: [],
    slices: [],
    active: [],
    content: undefined,
    isActive: false,
    tests: undefined,
    parts: undefined,
  };
}

function bindingOf({ binding, base, path }: ElementDefinition, r4: R4Rules): ElementPlan['binding'] {
  const { strength, valueSet } = binding ?? {};
  if (valueSet === undefined || (strength !== 'required' && strength !== 'extensible')) return undefined;
  return r4.isBound(base?.path ?? path, valueSet) ? undefined : { strength, valueSet };
}

function isTyped({ profiles, targets }: TypePlan): boolean {
  return profiles.length > 0 || targets.length > 0;
}

/** Returns the targets. Resource, which allows any target, means no limit. */
function targetsUnlessAny(targets: readonly string[]): readonly TargetPlan[] {
  if (targets.some((canonical) => canonical.endsWith('/Resource'))) return [];
  return targets.map((canonical) => ({ canonical, isOfR4: r4Canonical.test(canonical) }));
}

function slicingOf({ slicing }: ElementDefinition): SlicingPlan | undefined {
  if (!slicing) return undefined;
  const { discriminator, ordered = false, rules } = slicing;
  return {
    discriminators: discriminator.map(({ type, path }) => discriminatorOf(type, path)),
    ordered,
    rules: rules === 'closed' || rules === 'openAtEnd' ? rules : 'open',
  };
}

/** Returns the value of a choice such as `fixed[x]`. */
function valueNamed(element: ElementDefinition, name: string): unknown {
  for (const key of Object.keys(element)) {
    if (key.startsWith(name) && /^[A-Z]/.test(key.slice(name.length))) return element[key];
  }
  return undefined;
}

/** Returns true if an element is in a slice of a slice: `code:a/b`. */
function isResliced(id: string): boolean {
  return /:[^.]*\//.test(id);
}
