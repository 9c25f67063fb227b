import { expect, test } from 'vitest';
import { ApiFailure } from '../../../core/api/failure.ts';
import { problemFields } from './problem-fields.ts';

test('the parameters of an outcome are named, issue by issue', () => {
  const issue = (location: string) => ({ severity: 'error', code: 'value', location: [location] });
  const outcome = {
    resourceType: 'OperationOutcome',
    issue: [issue('http.date'), issue('http.status:not')],
  } as const;
  expect([...problemFields(new ApiFailure(400, outcome, undefined))]).toEqual(['date', 'status']);
});

test('a request without an answer names none', () => {
  expect(problemFields(new TypeError('Failed to fetch')).size).toBe(0);
});
