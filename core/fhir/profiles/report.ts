import type { Finding } from '../validation/finding.ts';
import { expressionAt } from '../expression.ts';
import { demands, ruleOfDemand, type DemandName } from './demands.ts';
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

/** Gathers what is found; `type` is the record's. */
export class Report {
  readonly findings: Finding[] = [];
  readonly undecided: Undecided[] = [];
  private readonly type: string;

  constructor(type: string) {
    this.type = type;
  }

  add(demand: DemandName, plan: ElementPlan, tokens: readonly string[], detail = ''): void {
    const { text, ...ranked } = demands[demand];
    this.push(plan, tokens, demand, { ...ranked, text: said(text, plan, detail) });
  }

  /** A constraint that does not hold. */
  addBroken(plan: ElementPlan, { key, human, severity }: ConstraintPlan, tokens: readonly string[]): void {
    const { text, ...ranked } = demands.invariant;
    this.push(plan, tokens, key, { ...ranked, severity, text: said(text, plan, human) });
  }

  open(plan: ElementPlan, tokens: readonly string[], needs: string): void {
    this.openBy(plan.profile.canonical, plan.id, tokens, needs);
  }

  openBy(profile: string, element: string, tokens: readonly string[], needs: string): void {
    const expression = expressionAt(this.type, tokens);
    this.undecided.push({ profile, element, tokens, expression, needs });
  }

  get isBroken(): boolean {
    return this.findings.some(({ severity }) => severity === 'error');
  }

  get isOpen(): boolean {
    return this.undecided.length > 0;
  }

  private push(
    plan: ElementPlan,
    tokens: readonly string[],
    kind: string,
    ranked: Pick<Finding, 'severity' | 'category' | 'code' | 'text'>,
  ): void {
    const rule = ruleOfDemand(plan.profile, plan.id, kind);
    const expression = expressionAt(this.type, tokens);
    this.findings.push({
      rule,
      ...ranked,
      tokens,
      expression,
      diagnostics: `${rule}: ${plan.profile.canonical}`,
    });
  }
}

function said(text: string, { id, profile }: ElementPlan, detail: string): string {
  const sentence = `${profile.id}: ${text.replace('{}', () => id)}`.replace('[]', () => detail);
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}
