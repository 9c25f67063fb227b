/**
 * core/derive computes index rows, sort keys and findings of a record, and their fingerprints
 * (derivations.ts). Called by the write path, the rebuild and verify. Invariant: pure. The same record on the
 * same day gives the same rows.
 */
import { indexRows, type IndexRows } from '../fhir/index-rows.ts';
import { isFoundElsewhere, staleRule, type IssueRow } from '../fhir/issue-row.ts';
import type { ResourceType } from '../fhir/resource.ts';
import type { Finding } from '../fhir/validation/finding.ts';
import { rules } from '../fhir/validation/rules.ts';
import { validateRecord, type ValidateOptions } from '../fhir/validation/validate.ts';
import type { JsonObject } from '../json/node.ts';
import { formatPointer } from '../json/pointer.ts';

/** Rows that make a record searchable. */
export interface DerivedRows {
  readonly index: IndexRows;
  /** Issues of the record. */
  readonly issues: readonly IssueRow[];
  /**
   * The first midnight (UTC, milliseconds since 1970) at which the date alone changes the issues; absent if
   * it never does.
   */
  readonly revalidateAtMs?: number;
}

/** Derives all rows of a record for a day. */
export function derive(
  type: ResourceType,
  record: JsonObject,
  options: ValidateOptions,
): DerivedRows & { readonly findings: Finding[] } {
  return { index: indexRows(type, record), ...deriveIssues(type, record, options) };
}

/** Derives only the rows of the rules. */
export function deriveIssues(
  type: ResourceType,
  record: JsonObject,
  options: ValidateOptions,
): Omit<DerivedRows, 'index'> & { readonly findings: Finding[] } {
  const result = validateRecord(record, type, options);
  return { ...result, issues: issueRows(result.findings) };
}

/** Returns the rows of the quality worklist for the findings of a version. */
export function issueRows(findings: readonly Finding[]): IssueRow[] {
  return findings.map(({ rule, severity, category, tokens }) => ({
    rule,
    severity,
    category,
    pointer: formatPointer(tokens),
  }));
}

/** Rules that depend on the date. */
const dateDependentRules = new Set(rules.filter(({ nextChangeAt }) => nextChangeAt).map(({ id }) => id));

/** Returns the issues that a validation of the single record does not produce. They remain. */
export function listRetainedIssues(issues: readonly IssueRow[]): IssueRow[] {
  return issues.filter((issue) => issue.rule === staleRule || isFoundElsewhere(issue));
}

/** Returns the issues that depend on the record only, not on the date. */
export function listDateIndependentIssues(issues: readonly IssueRow[]): IssueRow[] {
  return issues.filter(
    (issue) => listRetainedIssues([issue]).length === 0 && !dateDependentRules.has(issue.rule),
  );
}

/** Returns the day (YYYY-MM-DD, UTC) of a time in milliseconds since 1970. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
