import { expect, test } from 'vitest';
import { ApiFailure } from '../../../core/api/failure.ts';
import { problemFields } from './problem-fields.ts';

test('returns the parameters of each issue', () => {
  const issue = (location: string) => ({ severity: 'error', code: 'value', location: [location] });
  const outcome = {
    resourceType: 'OperationOutcome',
    issue: [issue('http.date'), issue('http.status:not')],
  } as const;
  expect([...problemFields(new ApiFailure(400, outcome, undefined))]).toEqual(['date', 'status']);
});

test('returns no parameter if no response arrived', () => {
  expect(problemFields(new TypeError('Failed to fetch')).size).toBe(0);
});
