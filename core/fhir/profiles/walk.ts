import { stringMember, type JsonNode, type JsonObject } from '../../json/node.ts';
import { boundOf, isOfItsSystems, strangeDisplays } from './codes.ts';
import { isTarget, type Answer } from './discriminator.ts';
import { itemsOf, typeOfItem, type Item } from './items.ts';
import type { Library } from './library.ts';
import type { BindingPlan, ConstraintPlan, ElementPlan, ProfilePlan, TargetPlan } from './plan.ts';
import { targetOf, type Target } from './references.ts';
import { Trial, type Sink } from './report.ts';
import { sliced, type Walker } from './slicing.ts';
import { compareTo, holdsPattern, isFixed } from './values.ts';

/** Profiles within profiles, at most: more is a circle. */
const deepest = 30;

/** What a walk is told by others. */
export interface Beside {
  /** A resource that stands beside the record, by a literal reference; undefined where it is not at hand. */
  resolve(reference: string): JsonObject | undefined;
  /** Whether an invariant holds for a value, whose path or type is `base`; else what is missing to tell. */
  holds(expression: string, base: string, node: JsonNode): boolean | string;
}

const noValue = 'a value to ask it of';

/** What a walk and those into other records have in common. */
interface Shared {
  /** What values came to by profiles, which more than one slice may ask. */
  readonly known: Map<JsonNode, Map<ProfilePlan, Answer>>;
  depth: number;
}

/** Walks through one record by plans. What it finds goes into a report. */
export class Walk implements Walker {
  readonly library: Library;
  private readonly record: JsonObject;
  private readonly type: string;
  private readonly beside: Beside;
  private readonly shared: Shared;
  private readonly targets = new Map<JsonNode, Target | undefined>();
  private readonly resolve: Beside['resolve'];

  constructor(
    library: Library,
    record: JsonObject,
    type: string,
    beside: Beside,
    shared: Shared = { known: new Map(), depth: 0 },
  ) {
    this.library = library;
    this.record = record;
    this.type = type;
    this.beside = beside;
    this.shared = shared;
    this.resolve = (reference) => beside.resolve(reference);
  }

  /** Judges a value, the whole record say, by a profile. */
  profile({ root, refused, canonical }: ProfilePlan, item: Item, report: Sink): void {
    for (const { element, needs } of refused) report.openBy(canonical, element, item, needs);
    if (!root) return;
    if (this.shared.depth > deepest) {
      report.open(root, item, 'its profiles name each other in a circle');
      return;
    }
    this.shared.depth += 1;
    this.value(root, item, report);
    this.shared.depth -= 1;
  }

  target(item: Item): Target | undefined {
    const { node } = item;
    if (!node) return undefined;
    // Each slice asks for it.
    if (!this.targets.has(node)) this.targets.set(node, targetOf(item, this.record, this.resolve));
    return this.targets.get(node);
  }

  fulfils(canonical: string, item: Item): Answer {
    const plan = this.library.profile(canonical);
    if (!plan || !item.node) return undefined;
    let answers = this.shared.known.get(item.node);
    if (!answers) this.shared.known.set(item.node, (answers = new Map<ProfilePlan, Answer>()));
    if (answers.has(plan)) return answers.get(plan);
    // Contained resources may refer to each other in a circle: what leads back here is asked here already.
    answers.set(plan, true);
    const answer = this.trial(plan, item);
    answers.set(plan, answer);
    return answer;
  }

  private trial(plan: ProfilePlan, item: Item): Answer {
    const type = typeOfItem(item);
    if (type !== undefined && plan.type !== '' && plan.type !== type) return false;
    const report = new Trial();
    this.within(item).profile(plan, item, report);
    if (report.isBroken) return false;
    return report.isOpen ? undefined : true;
  }

  isBound(item: Item, { valueSet }: BindingPlan): Answer {
    const bound = boundOf(item, valueSet, this.library.terminology);
    return bound.is === 'undecided' ? undefined : bound.is === 'in';
  }

  /** A resource beside the record contains others than the record does. */
  private within({ node, tokens }: Item): Walk {
    if (tokens.length > 0 || node?.kind !== 'object' || node === this.record) return this;
    const type = stringMember(node, 'resourceType') ?? this.type;
    return new Walk(this.library, node, type, this.beside, this.shared);
  }

  /** Judges the values of an element, and how many they are. */
  element(plan: ElementPlan, found: readonly Item[], parent: Item, report: Sink): void {
    const { min, max } = plan;
    if (found.length < min) report.add('min', plan, parent, String(min));
    if (found.length > max) report.add('max', plan, found[max] ?? parent, String(max));
    if (plan.slices.length > 0) sliced(plan, found, parent, report, this);
    else for (const item of found) this.value(plan, item, report);
  }

  /** Judges one value, and all that is below it. */
  value(plan: ElementPlan, item: Item, report: Sink): void {
    if (!plan.isActive) return;
    const { node } = item;
    if (plan.isChoice && !this.isOfType(plan, item, report)) return;
    if (plan.fixed !== undefined && !isFixed(node, plan.fixed)) report.add('fixed', plan, item);
    if (plan.pattern !== undefined && !holdsPattern(node, plan.pattern)) report.add('pattern', plan, item);
    if (plan.binding) this.binding(plan, plan.binding, item, report);
    if (
      plan.maxLength !== undefined &&
      node?.kind === 'string' &&
      codePointsOf(node.value) > plan.maxLength
    ) {
      report.add('length', plan, item, String(plan.maxLength));
    }
    if (plan.least !== undefined || plan.most !== undefined) limit(plan, item, report);
    if (plan.isTyped) this.typed(plan, item, report);
    for (const constraint of plan.constraints) this.invariant(plan, constraint, item, report);
    // What is told by another element is judged as that is.
    for (const child of (plan.content ?? plan).active) {
      this.element(child, itemsOf(item, child.name, child.isChoice), item, report);
    }
  }

  private invariant(plan: ElementPlan, constraint: ConstraintPlan, item: Item, report: Sink): void {
    const { key, expression } = constraint;
    const base = item.choice ?? plan.id.replaceAll(/:[^.]*|\[x\]/g, '');
    const held = item.node ? this.beside.holds(expression, base, item.node) : noValue;
    if (held === false) report.addBroken(plan, constraint, item);
    else if (held !== true) report.open(plan, item, `${key}: ${held}`);
  }

  private isOfType(plan: ElementPlan, item: Item, report: Sink): boolean {
    const { choice } = item;
    const codes = plan.types.map(({ code }) => code);
    if (codes.length === 0 || choice === undefined || codes.includes(choice)) return true;
    report.add('type', plan, item, codes.join(', '));
    return false;
  }

  private binding(plan: ElementPlan, { valueSet, strength }: BindingPlan, item: Item, report: Sink): void {
    const { terminology } = this.library;
    const bound = boundOf(item, valueSet, terminology);
    if (bound.is === 'undecided') report.open(plan, item, bound.needs);
    if (bound.is === 'out' && strength === 'required') report.add('code', plan, item, valueSet);
    if (bound.is === 'out' && strength === 'extensible' && isOfItsSystems(item, valueSet, terminology)) {
      report.add('code-advised', plan, item, valueSet);
    }
    // A text alone is no code; a required binding wants one.
    const type = item.choice ?? plan.types[0]?.code;
    if (bound.is === 'none' && strength === 'required' && (type === 'CodeableConcept' || type === 'Coding')) {
      report.add('code', plan, item, valueSet);
    }
    for (const tokens of strangeDisplays(item, terminology)) report.add('display', plan, { tokens });
  }

  private typed(plan: ElementPlan, item: Item, report: Sink): void {
    const type = typeOfItem(item);
    const own = plan.types.filter(
      ({ code }) => type === undefined || code === type || plan.types.length === 1,
    );
    const profiles = own.flatMap((one) => one.profiles);
    if (profiles.length > 0 && own.every((one) => one.profiles.length > 0))
      this.profiled(plan, profiles, item, report);
    const targets = own.flatMap((one) => (one.code === 'Reference' ? one.targets : []));
    if (targets.length > 0) this.targeted(plan, targets, item, report);
  }

  private profiled(plan: ElementPlan, profiles: readonly string[], item: Item, report: Sink): void {
    const [only = '', ...others] = profiles;
    if (others.length === 0) {
      const found = this.library.profile(only);
      if (found) this.profile(found, item, report);
      else report.open(plan, item, `StructureDefinition ${only}`);
      return;
    }
    const answers = profiles.map((one) => this.fulfils(one, item));
    if (answers.includes(true)) return;
    const missing = answers.indexOf(undefined);
    if (missing === -1) report.add('type-profile', plan, item, profiles.join(', '));
    else report.open(plan, item, `StructureDefinition ${profiles[missing]}, or what it needs`);
  }

  private targeted(plan: ElementPlan, targets: readonly TargetPlan[], item: Item, report: Sink): void {
    // What is no reference to anything, a logical one or a display alone, is judged by nobody.
    const led = this.target(item);
    if (!led) return;
    const answers = targets.map((one) => isTarget(led, one, this));
    if (answers.includes(true)) return;
    if (!answers.includes(undefined)) report.add('target', plan, item, named(targets));
    else {
      const open = named(targets.filter((_, index) => answers[index] === undefined));
      report.open(plan, item, `the resource that is referred to, to judge it by ${open}`);
    }
  }
}

function limit(plan: ElementPlan, item: Item, report: Sink): void {
  for (const [name, sign] of [
    ['least', -1],
    ['most', 1],
  ] as const) {
    if (plan[name] === undefined) continue;
    const compared = compareTo(item.node, plan[name]);
    if (compared === sign) report.add(name, plan, item);
    if (compared === undefined) report.open(plan, item, 'a value that can be compared with its limit');
  }
}

function named(targets: readonly TargetPlan[]): string {
  return targets.map(({ canonical }) => canonical).join(' or ');
}

/** A character outside the basic plane is one, whatever UTF-16 makes of it. */
function codePointsOf(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
}
