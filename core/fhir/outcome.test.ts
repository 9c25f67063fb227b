import { expect, test } from 'vitest';
import { FhirError, messageSystem, maxIssues, toOutcome } from './outcome.ts';

test('an outcome names its request where it has one, and its first problems', () => {
  const problems = Array.from({ length: maxIssues + 1 }, () => ({ text: 'Odd.' }));
  const error = new FhirError('value', problems);
  expect(toOutcome(error, 'r')).toHaveProperty('id', 'r');
  expect(toOutcome(error)).not.toHaveProperty('id');
  expect(toOutcome(error).issue).toHaveLength(maxIssues);
});

test('an issue says what is wrong, with what is known of where', () => {
  const bare = toOutcome(new FhirError('value', { text: 'Odd.' })).issue;
  expect(bare).toEqual([{ severity: 'error', code: 'value', details: { text: 'Odd.' } }]);
  const problem = {
    code: 'required',
    text: 'Odd.',
    diagnostics: 'd',
    expression: 'CarePlan.title',
    location: 'http.x',
  } as const;
  expect(toOutcome(new FhirError('value', problem)).issue).toEqual([
    {
      severity: 'error',
      code: 'required',
      details: { text: 'Odd.' },
      diagnostics: 'd',
      expression: ['CarePlan.title'],
      location: ['http.x'],
    },
  ]);
});

test('codes a sentence, with each parameter as an extension', () => {
  const problem = { text: 'Odd.', messageCode: 'x.odd', parameters: { type: 'CarePlan', n: 2 } };
  expect(toOutcome(new FhirError('value', problem)).issue[0]?.details).toEqual({
    coding: [
      {
        extension: [
          { id: 'type', url: 'urn:chartkeeper:message-parameter', valueString: 'CarePlan' },
          { id: 'n', url: 'urn:chartkeeper:message-parameter', valueDecimal: 2 },
        ],
        system: messageSystem,
        code: 'x.odd',
      },
    ],
    text: 'Odd.',
  });
});
