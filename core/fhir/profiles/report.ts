import type { Finding } from '../validation/finding.ts';
import { expressionAt } from '../expression.ts';
import type { Category, IssueCode, Severity } from '../../types/definition/rule.ts';
import type { ConstraintPlan, ElementPlan, ProfileName } from './plan.ts';

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

/** A kind of demand: how its findings are ranked, and what they say. `{}` stands for the element, `[]` for a detail. */
interface Demand {
  readonly severity: Severity;
  readonly category: Category;
  readonly code: IssueCode;
  readonly text: string;
}

const conformance = { severity: 'error', category: 'conformance' } as const;

export const demands = {
  min: { severity: 'error', category: 'completeness', code: 'required', text: '{} is missing: at least [].' },
  max: { ...conformance, code: 'structure', text: '{} stands too often: at most [].' },
  type: { ...conformance, code: 'structure', text: '{} has another type; it takes [].' },
  'type-profile': { ...conformance, code: 'structure', text: '{} fulfils none of [].' },
  fixed: { ...conformance, code: 'value', text: '{} has another value than the one that is fixed.' },
  pattern: { ...conformance, code: 'value', text: '{} lacks what its pattern demands.' },
  code: { ...conformance, code: 'code-invalid', text: '{} has a code that is not in [].' },
  'code-advised': {
    ...{ severity: 'warning', category: 'conformance', code: 'code-invalid' },
    text: '{} has a code that is not in []; take one of it where one fits.',
  },
  length: { ...conformance, code: 'too-long', text: '{} is longer than [] characters.' },
  least: { severity: 'error', category: 'plausibility', code: 'value', text: '{} is below the least value.' },
  most: {
    severity: 'error',
    category: 'plausibility',
    code: 'value',
    text: '{} is above the greatest value.',
  },
  target: { ...conformance, code: 'structure', text: '{} refers to another resource than [].' },
  closed: {
    ...conformance,
    code: 'structure',
    text: '{} is in none of the slices, and others are not allowed.',
  },
  order: { ...conformance, code: 'structure', text: '{} stands out of order: [].' },
  display: {
    ...{ severity: 'warning', category: 'conformance', code: 'value' },
    text: '{} has another display than its code system gives the code.',
  },
  invariant: { ...conformance, code: 'invariant', text: '{}: []' },
} as const satisfies Readonly<Record<string, Demand>>;

export type DemandName = keyof typeof demands;

/** Beginning of the rule under which the findings of profiles stand. */
const prefix = 'profile/';

/** The rule of a demand: `profile/us-core-careplan#CarePlan.category:AssessPlan/min`. Stable over versions of the profile. */
export function ruleOfDemand({ id }: ProfileName, element: string, demand: string): string {
  return `${prefix}${id}#${element}/${demand}`;
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
