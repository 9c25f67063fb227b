import { expect, test } from 'vitest';
import { check } from './check.ts';
import { NewErasure } from './erasures.ts';

const erasure = { type: 'CarePlan', id: 'a', reason: 'Entered for another person.' };

test.each([
  [{ type: 'care-plan' }, 'type', 'erasure.type'],
  [{ type: 7 }, 'type', 'erasure.type'],
  [{ id: 'a/b' }, 'id', 'erasure.id'],
  [{ reason: 'two\nlines' }, 'reason', 'erasure.reason'],
])('rejects an erasure with %j and reports the rule', (fault, expression, messageCode) => {
  expect(check(NewErasure, erasure)).toEqual({ value: erasure });
  expect(check(NewErasure, { ...erasure, ...fault })).toMatchObject({
    problems: [{ messageCode, expression }],
  });
});
