/**
 * core/derive tells what a record gives beside its text: index rows, sort keys, findings; and by which derivation
 * (derivations.ts). Called by the write path, the rebuild and verify. Invariant: pure; the same record on the same day
 * gives the same rows, whoever asks.
 */
import { indexRows, type IndexRows } from '../fhir/index-rows.ts';
import { isFoundElsewhere, staleRule, type IssueRow } from '../fhir/issue-row.ts';
import type { ResourceType } from '../fhir/resource.ts';
import type { Finding } from '../fhir/validation/finding.ts';
import { rules } from '../fhir/validation/rules.ts';
import { judgeRecord, type ValidateOptions } from '../fhir/validation/validate.ts';
import type { JsonObject } from '../json/node.ts';
import { formatPointer } from '../json/pointer.ts';

/** The rows that describe a record, so that it is found. */
export interface Derived {
  readonly index: IndexRows;
  /** What is wrong with the record. */
  readonly issues: readonly IssueRow[];
  /**
   * The first midnight (UTC, milliseconds since 1970) at which the calendar alone changes the issues; absent where it
   * never does.
   */
  readonly judgeAgain?: number;
}

/** All that a record gives on a day. */
export function derive(
  type: ResourceType,
  record: JsonObject,
  options: ValidateOptions,
): Derived & { readonly findings: Finding[] } {
  return { index: indexRows(type, record), ...deriveIssues(type, record, options) };
}

/** The part of it that the rules give. */
export function deriveIssues(
  type: ResourceType,
  record: JsonObject,
  options: ValidateOptions,
): Omit<Derived, 'index'> & { readonly findings: Finding[] } {
  const judged = judgeRecord(record, type, options);
  return { ...judged, issues: issueRows(judged.findings) };
}

/** The rows of the quality worklist for a version's findings. */
export function issueRows(findings: readonly Finding[]): IssueRow[] {
  return findings.map(({ rule, severity, category, tokens }) => ({
    rule,
    severity,
    category,
    pointer: formatPointer(tokens),
  }));
}

/** The rules that ask what day it is. */
const ofDays = new Set(rules.filter(({ changes }) => changes).map(({ id }) => id));

/** The issues that stay as they stand, however often the record by itself is judged. */
export function carried(issues: readonly IssueRow[]): IssueRow[] {
  return issues.filter((issue) => issue.rule === staleRule || isFoundElsewhere(issue));
}

/** The issues that the record by itself tells, whatever day it is. */
export function lasting(issues: readonly IssueRow[]): IssueRow[] {
  return issues.filter((issue) => carried([issue]).length === 0 && !ofDays.has(issue.rule));
}

/** The day (YYYY-MM-DD, UTC) of a time in milliseconds since 1970. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
