import { expect, test } from 'vitest';
import { ApiFailure, Unconfirmed, UnknownForm } from '../../core/api/failure.ts';
import { isTokenFailure, toFailure } from './failure.ts';

test('each issue becomes a sentence with its place, the request id apart', () => {
  const outcome = {
    resourceType: 'OperationOutcome' as const,
    id: 'req-1',
    issue: [
      { severity: 'error', code: 'value', details: { text: 'Bad code.' }, expression: ['CarePlan.status'] },
      { severity: 'error', code: 'required', diagnostics: 'subject missing', location: ['http.subject'] },
    ],
  };
  expect(toFailure(new ApiFailure(400, outcome, undefined))).toEqual({
    sentences: ['Bad code. (CarePlan.status)', 'subject missing'],
    issues: [{ text: 'Bad code.', expression: 'CarePlan.status' }, { text: 'subject missing' }],
    status: 400,
    requestId: 'req-1',
  });
});

test('another server’s refusal stands in its own words, behind its name once', () => {
  const refused = (text: string, diagnostics: string) =>
    toFailure(
      new ApiFailure(
        422,
        {
          resourceType: 'OperationOutcome',
          issue: [{ severity: 'error', code: 'invalid', details: { text }, diagnostics }],
        },
        undefined,
        'hospital',
        undefined,
        'fhir.example.org',
      ),
    ).sentences;
  expect(refused('Not here.', 'HAPI-0302: no such parameter')).toEqual([
    'fhir.example.org: Not here. HAPI-0302: no such parameter',
  ]);
  expect(refused('fhir.example.org is closed.', '')).toEqual(['fhir.example.org is closed.']);
});

test('a request without an answer has no status', () => {
  expect(toFailure(new TypeError('Failed to fetch')).status).toBeUndefined();
});

test('an answer that is not understood is an answer', () => {
  expect(toFailure(new UnknownForm()).sentences).toEqual([
    'The server answered in a form that is not known here.',
  ]);
});

test('a stale write carries the version that the server holds', () => {
  expect(toFailure(new ApiFailure(412, undefined, 4))).toMatchObject({ status: 412, currentVersion: 4 });
});

test('a token that another server refuses is not this page’s own; a write without an answer says why', () => {
  expect(isTokenFailure(toFailure(new ApiFailure(401, undefined, undefined)))).toBe(true);
  expect(isTokenFailure(toFailure(new ApiFailure(401, undefined, undefined, 'hospital')))).toBe(false);
  const issue = [{ severity: 'error', code: 'timeout', details: { text: 'It may have been done.' } }];
  expect(toFailure(new Unconfirmed({ resourceType: 'OperationOutcome', issue }))).toEqual({
    sentences: ['It may have been done.'],
  });
});
