import { expect, test } from 'vitest';
import { formatShare, wholeOf } from './shares.ts';

test.each([
  [0, 10, '0 %'],
  [0, 0, '0 %'],
  [1, 100_000, '< 0.1 %'],
  [1, 200, '0.5 %'],
  [5, 100, '5 %'],
  [247, 1000, '25 %'],
  [99_999, 100_000, '> 99.9 %'],
  [995, 1000, '99.5 %'],
  [7, 7, '100 %'],
])('%d of %d is %s', (part, whole, shown) => {
  expect(formatShare(part, whole)).toBe(shown);
});

test('a share is of the records of the type that is asked for', () => {
  const records = { CarePlan: 3, Composition: 5 };
  expect(wholeOf({ records }, {})).toBe(8);
  expect(wholeOf({ records }, { type: 'CarePlan' })).toBe(3);
});
