import { expect, test } from 'vitest';
import { formatShare, countRecords } from './percentages.ts';

test.each([
  [0, 10, '0%'],
  [0, 0, '0%'],
  [1, 100_000, '<0.1%'],
  [1, 200, '0.5%'],
  [5, 100, '5%'],
  [247, 1000, '25%'],
  [99_999, 100_000, '>99.9%'],
  [995, 1000, '99.5%'],
  [7, 7, '100%'],
])('formats %d of %d as %s', (part, total, expected) => {
  expect(formatShare(part, total)).toBe(expected);
});

test('uses the records of the requested type as the total', () => {
  const records = { CarePlan: 3, Composition: 5 };
  expect(countRecords({ records }, {})).toBe(8);
  expect(countRecords({ records }, { type: 'CarePlan' })).toBe(3);
});
