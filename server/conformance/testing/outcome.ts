/**
 * Assertions on rejections. server/conformance tests the running server from outside. It may use core/json for exact
 * comparison, the route table of core/api, and the start of the server, but no other server code.
 */
import { expect } from 'vitest';
import { messageCodeOf } from '../../testing/message-code.ts';
import type { Answer, Json } from '../../testing/test-server.ts';

/** Codes of FHIR R4 valueset-issue-type.html. */
const issueTypes = new Set(
  (
    'invalid structure required value invariant security login unknown expired forbidden suppressed processing ' +
    'not-supported duplicate multiple-matches not-found deleted too-long code-invalid extension too-costly ' +
    'business-rule conflict transient lock-error no-store exception timeout incomplete throttled informational'
  ).split(' '),
);

/** The parts of a response that the assertions need, from any client. */
export interface ResponseParts {
  readonly status: number;
  readonly header: (name: string) => string | null | undefined;
  readonly text: string;
}

/** Returns the faults of a rejection against the specification; empty for a correct one. */
export function listRejectionFaults({ status, header, text }: ResponseParts): string[] {
  const faults: string[] = [];
  if (header('content-type') !== 'application/json; charset=utf-8') {
    faults.push(`Content-Type ${String(header('content-type'))}`);
  }
  if (header('cache-control') !== 'no-store') faults.push(`Cache-Control ${String(header('cache-control'))}`);
  let outcome: Json;
  try {
    outcome = JSON.parse(text);
  } catch {
    return [...faults, `${status} without JSON: ${text.slice(0, 80)}`];
  }
  if (outcome?.resourceType !== 'OperationOutcome') return [...faults, 'no OperationOutcome'];
  if (!outcome.id || outcome.id !== header('x-request-id')) faults.push('id is not X-Request-Id');
  if (!Array.isArray(outcome.issue) || outcome.issue.length === 0) return [...faults, 'no issue'];
  if (outcome.issue.length > 100) faults.push('more than 100 issues');
  return [...faults, ...outcome.issue.flatMap(listIssueFaults)];
}

function listIssueFaults(issue: Json): string[] {
  const faults: string[] = [];
  if (issue.severity !== 'error') faults.push(`severity ${issue.severity}`);
  if (!issueTypes.has(issue.code)) faults.push(`code ${issue.code}`);
  if (!/^\S+ .+[.]$/s.test(issue.details?.text ?? '')) faults.push(`text ${issue.details?.text}`);
  if (!messageCodeOf(issue)) faults.push('no message code');
  for (const name of ['expression', 'location']) {
    if (issue[name] !== undefined && !(Array.isArray(issue[name]) && issue[name].length > 0)) {
      faults.push(`${name} is no list`);
    }
  }
  if (/\bat .+:\d+:\d+|node_modules|SELECT |SQLITE/.test(JSON.stringify(issue))) {
    faults.push('a stack, a path or SQL');
  }
  return faults;
}

/** An expected rejection. Members that are undefined are not compared. */
export interface Rejection {
  readonly status: number;
  readonly code: string;
  readonly expression?: string;
  readonly location?: string;
  /** Part of the diagnostics: an invariant's key, an operation's index. */
  readonly diagnostics?: string;
}

/** Asserts status and form of a rejection, and that it has the expected issue; returns the issue. */
export function expectRejection(answer: Answer, refusal: Rejection): Json {
  const header = (name: string) => answer.headers.get(name);
  expect({
    status: answer.status,
    faults: listRejectionFaults({ status: answer.status, header, text: answer.text }),
  }).toEqual({ status: refusal.status, faults: [] });
  const summaries = answer.json.issue.map((issue: Json) => summarizeIssue(issue, refusal));
  expect(summaries).toContainEqual(toSummary(refusal));
  return answer.json.issue[summaries.findIndex((summary: Json) => summary.code === refusal.code)];
}

function summarizeIssue(issue: Json, refusal: Rejection): Json {
  return {
    code: issue.code,
    ...(refusal.expression !== undefined && { expression: issue.expression?.[0] }),
    ...(refusal.location !== undefined && { location: issue.location?.[0] }),
    ...(refusal.diagnostics !== undefined && {
      diagnostics: issue.diagnostics?.includes(refusal.diagnostics) ? refusal.diagnostics : issue.diagnostics,
    }),
  };
}

function toSummary({ status: _, ...summary }: Rejection): Json {
  return summary;
}
