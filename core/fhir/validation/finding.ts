/**
 * core/fhir/validation validates records with tables built by scripts/schema.ts and one table of rules.
 * Called by the server and by the page. Invariant: pure; a finding never repeats a value of the record.
 */
import { expressionAt } from '../expression.ts';
import { fillPlaceholders } from '../../text/language.ts';
import { detailsOf, type OutcomeIssue } from '../outcome.ts';
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
  /** Values in the sentence. The rule is its message code. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly tokens: Tokens;
  /** FHIRPath of the element. */
  readonly expression: string;
  /** Rule id and technical detail. */
  readonly diagnostics: string;
}

/** Maximum findings of one validation: more than a person corrects, fewer than a hostile body could cause. */
export const maxFindings = 1000;

/** Creates the finding of a rule at an element. `name` is the missing element in the rule's sentence. */
export function findingOf(
  rule: Rule,
  type: ResourceType,
  tokens: Tokens,
  detail?: string,
  name?: string,
): Finding {
  const { id, severity, category, code, text } = rule;
  const parameters = name === undefined ? undefined : { name };
  return {
    rule: id,
    severity,
    category,
    code,
    text: parameters ? fillPlaceholders(text, parameters) : text,
    ...(parameters && { parameters }),
    tokens,
    expression: expressionAt(type, tokens),
    diagnostics: detail === undefined ? id : `${id}: ${detail}`,
  };
}

/** Returns a finding as an issue of an OperationOutcome. The rule is the code of its sentence. */
export function issueOfFinding({ rule, parameters, ...finding }: Finding): OutcomeIssue {
  const { severity, code, text, diagnostics, expression } = finding;
  return {
    severity,
    code,
    details: detailsOf({ messageCode: rule, ...(parameters && { parameters }), text }),
    diagnostics,
    expression: [expression],
  };
}

/** Rules that one element can break several times. Their diagnostics name the missing element or R4's key. */
export const brokenInWays: readonly string[] = ['schema-required', 'r4-invariant', 'r4-advice'];

/** Returns the identity of a finding: rule, element and, if the rule can be broken several times, the detail. */
export function identity({ rule, tokens, diagnostics }: Finding): string {
  return JSON.stringify([kindOfFinding(rule, diagnostics), ...tokens]);
}

/** Returns the rule id, or the diagnostics if several findings of the rule can be at one element. */
export function kindOfFinding(rule: string, diagnostics: string | undefined): string {
  return brokenInWays.includes(rule) ? (diagnostics ?? rule) : rule;
}
