import type { Finding } from '../validation/finding.ts';
import { expressionAt } from '../expression.ts';
import { demands, ruleOfDemand, type DemandName } from './demands.ts';
import type { Item } from './items.ts';
import type { ConstraintPlan, ElementPlan } from './plan.ts';

/** What a profile asks and what cannot be decided with what is at hand. It is neither passed nor broken. */
export interface Undecided {
  /** With `|version`. */
  readonly profile: string;
  /** ElementDefinition.id. */
  readonly element: string;
  readonly tokens: readonly string[];
  /** FHIRPath of the element. */
  readonly expression: string;
  /** What is missing, for a sentence: `CodeSystem http://snomed.info/sct`. */
  readonly needs: string;
}

/** What a walk tells of values. */
export interface Sink {
  /** A demand that a value, or what stands at a place within it, breaks; its text has a place for a detail. */
  add(demand: DemandName, plan: ElementPlan, at: Pick<Item, 'tokens'>, detail?: string): void;
  /** A constraint that does not hold. */
  addBroken(plan: ElementPlan, constraint: ConstraintPlan, at: Item): void;
  /** A demand that cannot be decided, and what is missing. */
  open(plan: ElementPlan, at: Item, needs: string): void;
  /** The same of an element that was not compiled. */
  openBy(profile: string, element: string, at: Item, needs: string): void;
}

/** Only whether anything is found: most of what is tried comes to nothing. */
export class Trial implements Sink {
  isBroken = false;
  isOpen = false;

  add(demand: DemandName): void {
    if (demands[demand].severity === 'error') this.isBroken = true;
  }

  addBroken(_plan: ElementPlan, { severity }: ConstraintPlan): void {
    if (severity === 'error') this.isBroken = true;
  }

  open(): void {
    this.isOpen = true;
  }

  openBy(): void {
    this.isOpen = true;
  }
}

/** Gathers what is found; `type` is the record's. */
export class Report implements Sink {
  readonly findings: Finding[] = [];
  readonly undecided: Undecided[] = [];
  private readonly type: string;

  constructor(type: string) {
    this.type = type;
  }

  add(demand: DemandName, plan: ElementPlan, { tokens }: Pick<Item, 'tokens'>, detail = ''): void {
    const { text, ...ranked } = demands[demand];
    this.push(plan, tokens, demand, { ...ranked, text: said(text, plan, detail) });
  }

  addBroken(plan: ElementPlan, { key, human, severity }: ConstraintPlan, { tokens }: Item): void {
    const { text, ...ranked } = demands.invariant;
    this.push(plan, tokens, key, { ...ranked, severity, text: said(text, plan, human) });
  }

  open(plan: ElementPlan, at: Item, needs: string): void {
    this.openBy(plan.profile.canonical, plan.id, at, needs);
  }

  openBy(profile: string, element: string, { tokens }: Item, needs: string): void {
    this.undecided.push({ profile, element, tokens, expression: expressionAt(this.type, tokens), needs });
  }

  private push(
    plan: ElementPlan,
    tokens: readonly string[],
    kind: string,
    ranked: Pick<Finding, 'severity' | 'category' | 'code' | 'text'>,
  ): void {
    const rule = ruleOfDemand(plan.profile, plan.id, kind);
    const expression = expressionAt(this.type, tokens);
    const diagnostics = `${rule}: ${plan.profile.canonical}`;
    this.findings.push({ rule, ...ranked, tokens, expression, diagnostics });
  }
}

function said(text: string, { id, profile }: ElementPlan, detail: string): string {
  const sentence = `${profile.id}: ${text.replace('{}', () => id)}`.replace('[]', () => detail);
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}
