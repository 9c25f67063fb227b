import { stringMember, type JsonNode, type JsonObject } from '../../json/node.ts';
import { formatList } from '../../text/language.ts';
import { defineMessages } from '../../text/message.ts';
import { evaluateBinding, isOfItsSystems, strangeDisplays } from './codes.ts';
import { isTarget, type MaybeKnown } from './discriminator.ts';
import { itemsOf, typeOfItem, type Item } from './items.ts';
import type { Library } from './library.ts';
import type { BindingPlan, ConstraintPlan, ElementPlan, ProfilePlan, TargetPlan } from './plan.ts';
import { targetOf, type Target } from './references.ts';
import { TrialSink, type MissingDefinition, type ResultSink } from './report.ts';
import { validateSlices, type Walker } from './slicing.ts';
import { compareToLimit, matchesPattern, equalsFixedValue } from './values.ts';

/** Maximum nesting of profiles. Deeper nesting is a circle. */
const maxDepth = 30;

/** Functions that the caller provides to a walk. */
export interface WalkEnvironment {
  /** Returns another resource by a literal reference; undefined if it is not available. */
  resolve(reference: string): JsonObject | undefined;
  /**
   * Returns whether a value satisfies an invariant, or the missing definition. `base` is the path or type of
   * the value.
   */
  evaluateInvariant(expression: string, base: string, node: JsonNode): boolean | MissingDefinition;
}

const needs = defineMessages('needs', {
  value: 'a value to evaluate it on',
  comparable: 'a value comparable with its limit',
  noCircle: 'profiles that don’t refer to each other in a circle',
  structure: 'StructureDefinition {canonical}',
  structureOrDependency: 'StructureDefinition {canonical}, or a package it depends on',
  target: 'the referenced resource, to check it against {profiles}',
});

/** State that a walk shares with the walks into other records. */
interface Shared {
  /** Answers per value and profile. Several slices may ask for the same one. */
  readonly cachedAnswers: Map<JsonNode, Map<ProfilePlan, MaybeKnown>>;
  depth: number;
}

/** Walks through one record by plans and writes the results to a report. */
export class Walk implements Walker {
  readonly library: Library;
  private readonly record: JsonObject;
  private readonly type: string;
  private readonly environment: WalkEnvironment;
  private readonly shared: Shared;
  private readonly targets = new Map<JsonNode, Target | undefined>();
  private readonly resolve: WalkEnvironment['resolve'];

  constructor(
    library: Library,
    record: JsonObject,
    type: string,
    environment: WalkEnvironment,
    shared: Shared = { cachedAnswers: new Map(), depth: 0 },
  ) {
    this.library = library;
    this.record = record;
    this.type = type;
    this.environment = environment;
    this.shared = shared;
    this.resolve = (reference) => environment.resolve(reference);
  }

  /** Validates a value, such as the record, against a profile. */
  profile({ root, unsupported, canonical }: ProfilePlan, item: Item, report: ResultSink): void {
    for (const rule of unsupported) report.addUndecidedByName(canonical, rule.element, item, rule.needs);
    if (!root) return;
    if (this.shared.depth > maxDepth) {
      report.addUndecided(root, item, needs.noCircle());
      return;
    }
    this.shared.depth += 1;
    this.value(root, item, report);
    this.shared.depth -= 1;
  }

  target(item: Item): Target | undefined {
    const { node } = item;
    if (!node) return undefined;
    // Each slice needs it, so the target is cached.
    if (!this.targets.has(node)) this.targets.set(node, targetOf(item, this.record, this.resolve));
    return this.targets.get(node);
  }

  fulfils(canonical: string, item: Item): MaybeKnown {
    const plan = this.library.profile(canonical);
    if (!plan || !item.node) return undefined;
    let answers = this.shared.cachedAnswers.get(item.node);
    if (!answers) this.shared.cachedAnswers.set(item.node, (answers = new Map<ProfilePlan, MaybeKnown>()));
    if (answers.has(plan)) return answers.get(plan);
    // Contained resources may refer to each other in a circle. The provisional answer ends the recursion.
    answers.set(plan, true);
    const answer = this.trial(plan, item);
    answers.set(plan, answer);
    return answer;
  }

  private trial(plan: ProfilePlan, item: Item): MaybeKnown {
    const type = typeOfItem(item);
    if (type !== undefined && plan.type !== '' && plan.type !== type) return false;
    const report = new TrialSink();
    this.createWalkFor(item).profile(plan, item, report);
    if (report.isBroken) return false;
    return report.isOpen ? undefined : true;
  }

  isBound(item: Item, { valueSet }: BindingPlan): MaybeKnown {
    const binding = evaluateBinding(item, valueSet, this.library.terminology);
    return binding.status === 'undecided' ? undefined : binding.status === 'in';
  }

  /** Returns the walk for a value. Another resource has its own contained resources. */
  private createWalkFor({ node, tokens }: Item): Walk {
    if (tokens.length > 0 || node?.kind !== 'object' || node === this.record) return this;
    const type = stringMember(node, 'resourceType') ?? this.type;
    return new Walk(this.library, node, type, this.environment, this.shared);
  }

  /** Validates the values of an element and their number. */
  element(plan: ElementPlan, items: readonly Item[], parent: Item, report: ResultSink): void {
    const { min, max } = plan;
    if (items.length < min) report.addViolation('min', plan, parent, String(min));
    if (items.length > max) report.addViolation('max', plan, items[max] ?? parent, String(max));
    if (plan.slices.length > 0) validateSlices(plan, items, parent, report, this);
    else for (const item of items) this.value(plan, item, report);
  }

  /** Validates a value and its descendants. */
  value(plan: ElementPlan, item: Item, report: ResultSink): void {
    if (!plan.isActive) return;
    const { node } = item;
    if (plan.isChoice && !this.isOfType(plan, item, report)) return;
    if (plan.fixed !== undefined && !equalsFixedValue(node, plan.fixed))
      report.addViolation('fixed', plan, item);
    if (plan.pattern !== undefined && !matchesPattern(node, plan.pattern))
      report.addViolation('pattern', plan, item);
    if (plan.binding) this.binding(plan, plan.binding, item, report);
    if (
      plan.maxLength !== undefined &&
      node?.kind === 'string' &&
      codePointsOf(node.value) > plan.maxLength
    ) {
      report.addViolation('length', plan, item, String(plan.maxLength));
    }
    if (plan.minValue !== undefined || plan.maxValue !== undefined) limit(plan, item, report);
    if (plan.isTyped) this.validateTypes(plan, item, report);
    for (const constraint of plan.constraints) this.invariant(plan, constraint, item, report);
    // A referenced element defines the content.
    for (const child of (plan.content ?? plan).active) {
      this.element(child, itemsOf(item, child.name, child.isChoice), item, report);
    }
  }

  private invariant(plan: ElementPlan, constraint: ConstraintPlan, item: Item, report: ResultSink): void {
    const { key, expression } = constraint;
    const base = item.choice ?? plan.id.replaceAll(/:[^.]*|\[x\]/g, '');
    const result = item.node
      ? this.environment.evaluateInvariant(expression, base, item.node)
      : needs.value();
    if (result === false) report.addViolatedConstraint(plan, constraint, item);
    else if (result !== true) report.addUndecided(plan, item, result, key);
  }

  private isOfType(plan: ElementPlan, item: Item, report: ResultSink): boolean {
    const { choice } = item;
    const codes = plan.types.map(({ code }) => code);
    if (codes.length === 0 || choice === undefined || codes.includes(choice)) return true;
    report.addViolation('type', plan, item, formatList(codes, 'unit'));
    return false;
  }

  private binding(
    plan: ElementPlan,
    { valueSet, strength }: BindingPlan,
    item: Item,
    report: ResultSink,
  ): void {
    const { terminology } = this.library;
    const result = evaluateBinding(item, valueSet, terminology);
    if (result.status === 'undecided') report.addUndecided(plan, item, result.needs);
    if (result.status === 'out' && strength === 'required') report.addViolation('code', plan, item, valueSet);
    if (result.status === 'out' && strength === 'extensible' && isOfItsSystems(item, valueSet, terminology)) {
      report.addViolation('code-advised', plan, item, valueSet);
    }
    // A text without a code does not satisfy a required binding.
    const type = item.choice ?? plan.types[0]?.code;
    if (
      result.status === 'none' &&
      strength === 'required' &&
      (type === 'CodeableConcept' || type === 'Coding')
    ) {
      report.addViolation('code', plan, item, valueSet);
    }
    for (const tokens of strangeDisplays(item, terminology)) report.addViolation('display', plan, { tokens });
  }

  private validateTypes(plan: ElementPlan, item: Item, report: ResultSink): void {
    const type = typeOfItem(item);
    const candidateTypes = plan.types.filter(
      ({ code }) => type === undefined || code === type || plan.types.length === 1,
    );
    const profiles = candidateTypes.flatMap((candidateType) => candidateType.profiles);
    if (profiles.length > 0 && candidateTypes.every((candidateType) => candidateType.profiles.length > 0))
      this.profiled(plan, profiles, item, report);
    const targets = candidateTypes.flatMap((candidateType) =>
      candidateType.code === 'Reference' ? candidateType.targets : [],
    );
    if (targets.length > 0) this.targeted(plan, targets, item, report);
  }

  private profiled(plan: ElementPlan, profiles: readonly string[], item: Item, report: ResultSink): void {
    const [canonical = '', ...otherCanonicals] = profiles;
    if (otherCanonicals.length === 0) {
      const profilePlan = this.library.profile(canonical);
      if (profilePlan) this.profile(profilePlan, item, report);
      else report.addUndecided(plan, item, needs.structure({ canonical }));
      return;
    }
    const answers = profiles.map((profileUrl) => this.fulfils(profileUrl, item));
    if (answers.includes(true)) return;
    const missing = answers.indexOf(undefined);
    if (missing === -1) report.addViolation('type-profile', plan, item, formatList(profiles, 'disjunction'));
    else report.addUndecided(plan, item, needs.structureOrDependency({ canonical: profiles[missing] ?? '' }));
  }

  private targeted(plan: ElementPlan, targets: readonly TargetPlan[], item: Item, report: ResultSink): void {
    // A value without a reference, such as a logical reference or a display, has no target to validate.
    const target = this.target(item);
    if (!target) return;
    const answers = targets.map((targetPlan) => isTarget(target, targetPlan, this));
    if (answers.includes(true)) return;
    if (!answers.includes(undefined)) report.addViolation('target', plan, item, formatTargets(targets));
    else {
      const open = formatTargets(targets.filter((_, index) => answers[index] === undefined));
      report.addUndecided(plan, item, needs.target({ profiles: open }));
    }
  }
}

function limit(plan: ElementPlan, item: Item, report: ResultSink): void {
  for (const [rule, limitValue, sign] of [
    ['least', plan.minValue, -1],
    ['most', plan.maxValue, 1],
  ] as const) {
    if (limitValue === undefined) continue;
    const order = compareToLimit(item.node, limitValue);
    if (order === sign) report.addViolation(rule, plan, item);
    if (order === undefined) report.addUndecided(plan, item, needs.comparable());
  }
}

function formatTargets(targets: readonly TargetPlan[]): string {
  return formatList(
    targets.map(({ canonical }) => canonical),
    'disjunction',
  );
}

/** Returns the number of code points. A surrogate pair counts as one. */
function codePointsOf(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
}
