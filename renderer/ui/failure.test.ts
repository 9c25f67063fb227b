import { expect, test } from 'vitest';
import { ApiFailure, UnconfirmedWriteError, UnexpectedFormatError } from '../../core/api/failure.ts';
import { isTokenFailure, toFailure } from './failure.ts';

test('converts each issue to a message with its location', () => {
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

test('prefixes the messages of another server with its name once', () => {
  const listMessages = (text: string, diagnostics: string) =>
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
  expect(listMessages('Not here.', 'HAPI-0302: no such parameter')).toEqual([
    'fhir.example.org: Not here. HAPI-0302: no such parameter',
  ]);
  expect(listMessages('fhir.example.org is closed.', '')).toEqual(['fhir.example.org is closed.']);
});

test('returns no status for a request without a response', () => {
  expect(toFailure(new TypeError('Failed to fetch')).status).toBeUndefined();
});

test('reports a response with an unexpected format', () => {
  expect(toFailure(new UnexpectedFormatError()).sentences).toEqual([
    'The server’s answer could not be understood.',
  ]);
});

test('returns the current version of a version conflict', () => {
  expect(toFailure(new ApiFailure(412, undefined, 4))).toMatchObject({ status: 412, currentVersion: 4 });
});

test('distinguishes tokens of other servers and reports unconfirmed writes', () => {
  expect(isTokenFailure(toFailure(new ApiFailure(401, undefined, undefined)))).toBe(true);
  expect(isTokenFailure(toFailure(new ApiFailure(401, undefined, undefined, 'hospital')))).toBe(false);
  const issue = [{ severity: 'error', code: 'timeout', details: { text: 'It may have been done.' } }];
  expect(toFailure(new UnconfirmedWriteError({ resourceType: 'OperationOutcome', issue }))).toEqual({
    sentences: ['It may have been done.'],
  });
});
