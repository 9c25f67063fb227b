import { expect, test } from 'vitest';
import { defineMessages } from '../text/message.ts';
import { detailsOf, FhirError, messageSystem, maxIssues, toOutcome } from './outcome.ts';

const { odd } = defineMessages('x', { odd: 'Odd.' });
const details = { coding: [{ system: messageSystem, code: 'x.odd' }], text: 'Odd.' };

test('includes the request id and the first problems', () => {
  const problems = Array.from({ length: maxIssues + 1 }, () => odd());
  const error = new FhirError('value', problems);
  expect(toOutcome(error, 'r')).toHaveProperty('id', 'r');
  expect(toOutcome(error)).not.toHaveProperty('id');
  expect(toOutcome(error).issue).toHaveLength(maxIssues);
});

test('converts each member of a problem', () => {
  const bare = toOutcome(new FhirError('value', odd())).issue;
  expect(bare).toEqual([{ severity: 'error', code: 'value', details }]);
  const problem = {
    ...odd(),
    code: 'required',
    diagnostics: 'd',
    expression: 'CarePlan.title',
    location: 'http.x',
  } as const;
  expect(toOutcome(new FhirError('value', problem)).issue).toEqual([
    {
      severity: 'error',
      code: 'required',
      details,
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

test('omits an empty parameter, which FHIR does not allow', () => {
  const { coding } = detailsOf({ text: 'Odd.', messageCode: 'x.odd', parameters: { type: '' } });
  expect(coding).toEqual([{ system: messageSystem, code: 'x.odd' }]);
});
