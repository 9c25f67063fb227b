/**
 * server/conformance asks the running server, from outside, whether each row of the specification holds; it may use
 * core/json to compare exactly and core/api's table to know the routes, and nothing of the server but its start.
 */
import { expect } from 'vitest';
import { messageCodeOf } from '../../testing/message-code.ts';
import type { Answer, Json } from '../../testing/test-server.ts';

/** FHIR R4 valueset-issue-type.html. */
const issueTypes = new Set(
  (
    'invalid structure required value invariant security login unknown expired forbidden suppressed processing ' +
    'not-supported duplicate multiple-matches not-found deleted too-long code-invalid extension too-costly ' +
    'business-rule conflict transient lock-error no-store exception timeout incomplete throttled informational'
  ).split(' '),
);

/** What an answer must show to be judged, whatever client received it. */
export interface Shown {
  readonly status: number;
  readonly header: (name: string) => string | null | undefined;
  readonly text: string;
}

/** What keeps an answer from being a refusal as the specification has it; empty for a good one. */
export function faultsOfRefusal({ status, header, text }: Shown): string[] {
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
  return [...faults, ...outcome.issue.flatMap(faultsOfIssue)];
}

function faultsOfIssue(issue: Json): string[] {
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

/** A refusal as a row words it; what is left out is not looked at. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly expression?: string;
  readonly location?: string;
  /** Must stand in the diagnostics: an invariant's key, an operation's index. */
  readonly diagnostics?: string;
}

/** Asserts status, form, and that one of the issues is the one that the row names; gives that issue. */
export function expectRefusal(answer: Answer, refusal: Refusal): Json {
  const header = (name: string) => answer.headers.get(name);
  expect({
    status: answer.status,
    faults: faultsOfRefusal({ status: answer.status, header, text: answer.text }),
  }).toEqual({ status: refusal.status, faults: [] });
  const found = answer.json.issue.map((issue: Json) => seen(issue, refusal));
  expect(found).toContainEqual(seenOf(refusal));
  return answer.json.issue[found.findIndex((one: Json) => one.code === refusal.code)];
}

function seen(issue: Json, refusal: Refusal): Json {
  return {
    code: issue.code,
    ...(refusal.expression !== undefined && { expression: issue.expression?.[0] }),
    ...(refusal.location !== undefined && { location: issue.location?.[0] }),
    ...(refusal.diagnostics !== undefined && {
      diagnostics: issue.diagnostics?.includes(refusal.diagnostics) ? refusal.diagnostics : issue.diagnostics,
    }),
  };
}

function seenOf({ status: _, ...rest }: Refusal): Json {
  return rest;
}
