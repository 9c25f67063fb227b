import { dayOf } from '../../core/derive/derive.ts';
import type { IssueRow } from '../../core/fhir/issue-row.ts';
import { FhirError, mostIssues, type OutcomeIssue } from '../../core/fhir/outcome.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { issueOfFinding, type Finding } from '../../core/fhir/validation/finding.ts';
import { findStaleNarrative, staleNarrative } from '../../core/fhir/validation/narrative.ts';
import { validate } from '../../core/fhir/validation/validate.ts';
import { equal } from '../../core/json/equal.ts';
import { member, type JsonObject } from '../../core/json/node.ts';
import { formatPointer } from '../../core/json/pointer.ts';

/** What is wrong with a record by itself, at a time in milliseconds since the epoch. */
export function judge(record: JsonObject, type: ResourceType, now: number): Finding[] {
  return validate(record, type, { today: dayOf(now) });
}

/**
 * Refuses a record for some of its findings, if there are any.
 *
 * @throws FhirError `content`, one problem for each refused finding.
 */
export function refuse(refused: readonly Finding[], findings: readonly Finding[]): void {
  if (refused.length === 0) return;
  const stopped = findings.filter(({ rule }) => rule === 'stopped');
  throw new FhirError(
    'content',
    [...stopped, ...refused].map(({ code, text, expression, diagnostics }) => ({
      code,
      text,
      expression,
      diagnostics,
    })),
  );
}

/** The findings that a record is not known to have had, by its issue rows: all that is left of a damaged one. */
export function newTo(issues: readonly IssueRow[], findings: readonly Finding[]): Finding[] {
  const known = new Set(issues.map(({ rule, pointer }) => `${rule} ${pointer}`));
  return findings.filter(({ rule, tokens }) => !known.has(`${rule} ${formatPointer(tokens)}`));
}

/**
 * The warning that a generated narrative no longer tells what the record says (row 52): from the change that left it
 * behind, until the narrative itself changes.
 */
export function narrativeFindings(
  before: JsonObject,
  after: JsonObject,
  type: ResourceType,
  issues: readonly IssueRow[],
): Finding[] {
  const stale = staleNarrative(type);
  const flagged = issues.some(({ rule }) => rule === stale.rule);
  const [was, is] = [member(before, 'text'), member(after, 'text')];
  const same = was !== undefined && is !== undefined && equal(was, is);
  return flagged && same ? [stale] : findStaleNarrative(before, after, type);
}

/** The issues of an outcome about a record that was stored: what is wrong with it did not refuse it (row 13). */
export function storedIssues(findings: readonly Finding[]): OutcomeIssue[] {
  return outcomeIssues(findings.map((finding) => ({ ...finding, severity: 'warning' })));
}

/** The issues of an OperationOutcome that tells findings, as many as one holds; `information` where there are none. */
export function outcomeIssues(findings: readonly Finding[]): OutcomeIssue[] {
  if (findings.length === 0) {
    return [{ severity: 'information', code: 'informational', details: { text: 'No issue was found.' } }];
  }
  return findings.slice(0, mostIssues).map(issueOfFinding);
}
