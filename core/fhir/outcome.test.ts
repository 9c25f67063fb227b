import { expect, test } from 'vitest';
import { FhirError, mostIssues, toOutcome } from './outcome.ts';

test('an outcome names its request where it has one, and its first problems', () => {
  const problems = Array.from({ length: mostIssues + 1 }, () => ({ text: 'Odd.' }));
  const error = new FhirError('value', problems);
  expect(toOutcome(error, 'r')).toHaveProperty('id', 'r');
  expect(toOutcome(error)).not.toHaveProperty('id');
  expect(toOutcome(error).issue).toHaveLength(mostIssues);
});

test('an issue says what is wrong, with what is known of where', () => {
  const bare = toOutcome(new FhirError('value', { text: 'Odd.' })).issue;
  expect(bare).toEqual([{ severity: 'error', code: 'value', details: { text: 'Odd.' } }]);
  const problem = {
    ...{ code: 'required', text: 'Odd.', diagnostics: 'd' },
    ...{ expression: 'CarePlan.title', location: 'http.x' },
  } as const;
  expect(toOutcome(new FhirError('value', problem)).issue).toEqual([
    {
      ...{ severity: 'error', code: 'required', details: { text: 'Odd.' }, diagnostics: 'd' },
      ...{ expression: ['CarePlan.title'], location: ['http.x'] },
    },
  ]);
});
