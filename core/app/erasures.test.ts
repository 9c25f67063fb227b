import { expect, test } from 'vitest';
import { check } from './check.ts';
import { NewErasure } from './erasures.ts';

const erasure = { type: 'CarePlan', id: 'a', reason: 'Entered for another person.' };

test.each([
  [{ type: 'care-plan' }, 'type', 'A record, or a companion, is named by its type'],
  [{ type: 7 }, 'type', 'A record, or a companion, is named by its type'],
  [{ id: 'a/b' }, 'id', 'A record is named by a FHIR id'],
  [{ reason: 'two\nlines' }, 'reason', 'Say why in one line'],
])('an erasure with %j is refused, and its rule is said', (fault, expression, text) => {
  expect(check(NewErasure, erasure)).toEqual({ value: erasure });
  expect(check(NewErasure, { ...erasure, ...fault })).toEqual({
    problems: [{ text: expect.stringContaining(text), expression }],
  });
});
