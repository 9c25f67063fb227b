/**
 * core/fhir/validation judges a record: by the tables made by scripts/schema.ts and one table of rules. Called by the
 * service and by the page. Invariant: pure; a finding never repeats a value of the record.
 */
import { expressionAt } from '../expression.ts';
import type { OutcomeIssue } from '../outcome.ts';
import type { Category, IssueCode, Rule, Severity } from '../../types/definition/rule.ts';
import type { ResourceType } from '../resource.ts';

/** Reference tokens (RFC 6901 section 3) from the record's root. */
export type Tokens = readonly string[];

export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly category: Category;
  readonly code: IssueCode;
  readonly text: string;
  readonly tokens: Tokens;
  /** FHIRPath of the element. */
  readonly expression: string;
  /** The rule's id and technical detail. */
  readonly diagnostics: string;
}

/** Where validation stops: far above what a person mends, far below what a hostile body provokes. */
export const mostFindings = 1000;

/** The finding of a rule at an element; `name` fills the rule's sentence where it names a missing element. */
export function findingOf(
  rule: Rule,
  type: ResourceType,
  tokens: Tokens,
  detail?: string,
  name?: string,
): Finding {
  const { id, severity, category, code, text } = rule;
  return {
    rule: id,
    severity,
    category,
    code,
    text: name === undefined ? text : text.replace('{}', () => name),
    tokens,
    expression: expressionAt(type, tokens),
    diagnostics: detail === undefined ? id : `${id}: ${detail}`,
  };
}

/** Returns a finding as an issue of an OperationOutcome. */
export function issueOfFinding(finding: Finding): OutcomeIssue {
  const { severity, code, text, diagnostics, expression } = finding;
  return { severity, code, details: { text }, diagnostics, expression: [expression] };
}

/** Rules that can be broken at one element in several ways, which their diagnostics name: the missing element, R4's key. */
export const brokenInWays: readonly string[] = ['schema-required', 'r4-invariant', 'r4-advice'];

/** What makes two findings the same: rule and element, and where the rule is broken in several ways, which. */
export function identity({ rule, tokens, diagnostics }: Finding): string {
  return JSON.stringify([kindOfFinding(rule, diagnostics), ...tokens]);
}

/** The rule's id, with what tells its findings at one element apart. */
export function kindOfFinding(rule: string, diagnostics: string | undefined): string {
  return brokenInWays.includes(rule) ? (diagnostics ?? rule) : rule;
}
