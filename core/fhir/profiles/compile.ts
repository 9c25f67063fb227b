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

/** Tells what R4 itself says. */
export interface OfR4 {
  /** Whether an invariant is one of R4's own. */
  isInvariant(key: string, expression: string): boolean;
  /** Whether R4 binds the element of a path to a value set, as required. */
  isBound(path: string, valueSet: string): boolean;
}

type Building = { -readonly [Name in keyof ElementPlan]: ElementPlan[Name] };

/** Definitions of R4 itself: what they say is judged by R4's rules. */
const ofR4 = /^(?:http:\/\/hl7\.org\/fhir\/StructureDefinition\/)?[A-Z][A-Za-z]*(?:\|.*)?$/;

/**
 * The plan of a StructureDefinition by its snapshot (FHIR R4 structuredefinition.html). What of it cannot be judged is named,
 * and the rest compiled; undefined where it is no StructureDefinition whose elements have ids. What is
 * R4's own is judged as that.
 */
export function compileProfile(definition: unknown, r4: OfR4): ProfilePlan | undefined {
  const structure = readStructure(definition);
  if (!structure) return undefined;
  const { url, version, type } = structure;
  const name = {
    canonical: version === undefined ? url : `${url}|${version}`,
    id: structure.id ?? url.slice(url.lastIndexOf('/') + 1),
  };
  const elements = structure.snapshot?.element ?? [];
  const [first] = elements;
  if (!first) {
    const needs = 'the profile has no snapshot, and a differential alone cannot be judged';
    return { ...name, type, root: undefined, refused: [{ element: type, needs }] };
  }
  const builder = new Builder(name, structure, r4);
  for (const element of elements) builder.add(element);
  return { ...name, type, root: builder.finish(first.id), refused: builder.refused };
}

class Builder {
  readonly refused: { element: string; needs: string }[] = [];
  private readonly profile: ProfileName;
  private readonly byId = new Map<string, Building>();
  private readonly contents: [Building, string][] = [];
  private readonly own: ReadonlySet<string>;
  private readonly r4: OfR4;

  constructor(profile: ProfileName, { differential }: StructureDefinition, r4: OfR4) {
    this.profile = profile;
    this.r4 = r4;
    this.own = new Set(
      (differential?.element ?? []).flatMap(({ id, constraint }) =>
        constraint.map(({ key }) => `${id} ${key}`),
      ),
    );
  }

  add(element: ElementDefinition): void {
    const { id } = element;
    if (isResliced(id)) {
      // Its children are told by it.
      if (element.sliceName?.includes('/'))
        this.refused.push({ element: id, needs: 'it cannot be judged: re-slicing' });
      return;
    }
    const made = planOf(element, this.profile, this.constraintsOf(element), this.r4);
    this.byId.set(id, made);
    if (element.contentReference !== undefined) {
      this.contents.push([made, element.contentReference.replace(/^[^#]*#/, '')]);
    }
    if (element.sliceName !== undefined) {
      const sliced = this.byId.get(id.slice(0, id.lastIndexOf(':')));
      if (sliced) sliced.slices = [...sliced.slices, made];
    } else {
      const parent = this.byId.get(id.slice(0, id.lastIndexOf('.')));
      if (parent) parent.children = [...parent.children, made];
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
      const own = source === undefined ? this.own.has(`${id} ${key}`) : !ofR4.test(source);
      if (!own || expression === undefined || this.r4.isInvariant(key, expression)) return [];
      return [{ key, severity: severity === 'warning' ? 'warning' : 'error', human, expression }];
    });
  }
}

/** Marks, from the leaves on, what says more than R4 does. */
function markActive(plan: Building, seen: Set<Building>): boolean {
  if (seen.has(plan)) return plan.isActive;
  seen.add(plan);
  // A content that is its own parent's is judged wherever that is.
  plan.isActive = saysMore(plan) || plan.content !== undefined;
  const children = plan.children as readonly Building[];
  plan.active = children.filter((child) => markActive(child, seen));
  for (const slice of plan.slices as readonly Building[]) markActive(slice, seen);
  plan.isActive ||= plan.active.length > 0;
  return plan.isActive;
}

function saysMore(plan: ElementPlan): boolean {
  const { min, max, fixed, pattern, binding, maxLength, least, most, constraints, slices } = plan;
  return (
    min > 0 ||
    max < Infinity ||
    [fixed, pattern, binding, maxLength, least, most].some((one) => one !== undefined) ||
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
  r4: OfR4,
): Building {
  const { id, path, sliceName, base, min = 0, max = '*', maxLength } = element;
  const last = path.slice(path.lastIndexOf('.') + 1);
  const isChoice = last.endsWith('[x]');
  const isSlice = sliceName !== undefined;
  const types = element.type.map(({ code, profile: profiles, targetProfile }) => ({
    code,
    profiles: profiles.filter((one) => !ofR4.test(one)),
    targets: targetsUnlessAny(targetProfile),
  }));
  return {
    profile,
    ...{ id, isChoice, types, isTyped: types.some(isTyped), constraints, sliceName },
    name: isChoice ? last.slice(0, -3) : last,
    min: !isSlice && base?.min === min ? 0 : min,
    max: !isSlice && base?.max === max ? Infinity : max === '*' ? Infinity : Number(max),
    fixed: valueNamed(element, 'fixed'),
    pattern: valueNamed(element, 'pattern'),
    least: valueNamed(element, 'minValue'),
    most: valueNamed(element, 'maxValue'),
    maxLength,
    binding: bindingOf(element, r4),
    slicing: slicingOf(element),
    ...{ children: [], slices: [], active: [], content: undefined, isActive: false },
    ...{ tests: undefined, parts: undefined },
  };
}

function bindingOf({ binding, base, path }: ElementDefinition, r4: OfR4): ElementPlan['binding'] {
  const { strength, valueSet } = binding ?? {};
  if (valueSet === undefined || (strength !== 'required' && strength !== 'extensible')) return undefined;
  return r4.isBound(base?.path ?? path, valueSet) ? undefined : { strength, valueSet };
}

function isTyped({ profiles, targets }: TypePlan): boolean {
  return profiles.length > 0 || targets.length > 0;
}

/** Any resource is no limit. */
function targetsUnlessAny(targets: readonly string[]): readonly TargetPlan[] {
  if (targets.some((one) => one.endsWith('/Resource'))) return [];
  return targets.map((canonical) => ({ canonical, isOfR4: ofR4.test(canonical) }));
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

/** The value of `fixed[x]`, say, whatever its type. */
function valueNamed(element: ElementDefinition, name: string): unknown {
  for (const key of Object.keys(element)) {
    if (key.startsWith(name) && /^[A-Z]/.test(key.slice(name.length))) return element[key];
  }
  return undefined;
}

/** Whether an element is in a slice of a slice of the same elements: `code:a/b`. */
function isResliced(id: string): boolean {
  return /:[^.]*\//.test(id);
}
