import { dayOf } from '../../core/derive/derive.ts';
import type { IssueRow } from '../../core/fhir/issue-row.ts';
import { detailsOf, FhirError, maxIssues, type OutcomeIssue } from '../../core/fhir/outcome.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { issueOfFinding, type Finding } from '../../core/fhir/validation/finding.ts';
import { findStaleNarrative, staleNarrative } from '../../core/fhir/validation/rules.ts';
import { validate } from '../../core/fhir/validation/validate.ts';
import { member, equal, type JsonObject } from '../../core/json/node.ts';
import { formatPointer } from '../../core/json/pointer.ts';
import { defineMessages } from '../../core/text/message.ts';

const messages = defineMessages('validate', { noIssue: 'No issue was found.' });

/** Returns the findings of a record alone at a time in milliseconds since the epoch. */
export function validateStored(record: JsonObject, type: ResourceType, now: number): Finding[] {
  return validate(record, type, { today: dayOf(now) });
}

/**
 * Rejects a record for some of its findings, if there are any.
 *
 * @throws FhirError `content` with one problem per finding.
 */
export function rejectAddedErrors(rejectedFindings: readonly Finding[], findings: readonly Finding[]): void {
  if (rejectedFindings.length === 0) return;
  const stoppedFindings = findings.filter(({ rule }) => rule === 'stopped');
  throw new FhirError(
    'content',
    [...stoppedFindings, ...rejectedFindings].map(
      ({ code, rule, parameters, text, expression, diagnostics }) => ({
        code,
        text,
        messageCode: rule,
        ...(parameters && { parameters }),
        expression,
        diagnostics,
      }),
    ),
  );
}

/** The findings that the issue rows of a record do not contain. Of a damaged record, only these rows are known. */
export function newTo(issues: readonly IssueRow[], findings: readonly Finding[]): Finding[] {
  const knownIssues = new Set(issues.map(({ rule, pointer }) => `${rule} ${pointer}`));
  return findings.filter(({ rule, tokens }) => !knownIssues.has(`${rule} ${formatPointer(tokens)}`));
}

/**
 * Returns the warning that a generated narrative is outdated (row 52), from the change that outdates it
 * until the narrative changes.
 */
export function narrativeFindings(
  before: JsonObject,
  after: JsonObject,
  type: ResourceType,
  issues: readonly IssueRow[],
): Finding[] {
  const stale = staleNarrative(type);
  const hadStaleFinding = issues.some(({ rule }) => rule === stale.rule);
  const [narrativeBefore, narrativeAfter] = [member(before, 'text'), member(after, 'text')];
  const isSameNarrative =
    narrativeBefore !== undefined && narrativeAfter !== undefined && equal(narrativeBefore, narrativeAfter);
  return hadStaleFinding && isSameNarrative ? [stale] : findStaleNarrative(before, after, type);
}

/** Returns the issues of a stored record, which did not reject it (row 13). */
export function storedIssues(findings: readonly Finding[]): OutcomeIssue[] {
  return outcomeIssues(findings.map((finding) => ({ ...finding, severity: 'warning' })));
}

/**
 * Returns the OperationOutcome issues of findings, as many as one may contain; one `information` if there
 * are none.
 */
export function outcomeIssues(findings: readonly Finding[]): OutcomeIssue[] {
  if (findings.length === 0) {
    const details = detailsOf(messages.noIssue());
    return [{ severity: 'information', code: 'informational', details }];
  }
  return findings.slice(0, maxIssues).map(issueOfFinding);
}
