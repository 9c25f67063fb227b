import { expect, test } from 'vitest';
import type { Threshold } from './measures.ts';
import { boundOf, boundText, standingOf } from './thresholds.ts';

test.each([
  ['', undefined],
  ['3', { count: 3 }],
  [' 2 % ', { percent: 2 }],
  ['0.5%', { percent: 0.5 }],
  ['0.5', 'wrong'],
  ['101 %', 'wrong'],
  ['many', 'wrong'],
  ['over 3', 'wrong'],
  ['3 records', 'wrong'],
] as const)('the threshold %j is read as it is meant, and written as it is read', (written, bound) => {
  expect(boundOf(written)).toEqual(bound);
  if (bound !== 'wrong') expect(boundOf(boundText(bound))).toEqual(bound);
});

const both: Threshold = { warnAbove: { count: 3 }, failAbove: { percent: 2 } };

test.each([
  [{}, 100, undefined],
  [both, 3, 'within'],
  [both, 4, 'warning'],
  // 2 % of 1,000 records are 20.
  [both, 20, 'warning'],
  [both, 21, 'failure'],
  [{ failAbove: { count: 0 } }, 1, 'failure'],
] as const)('under %j, %i of 1,000 stand as %s', (threshold, violated, standing) => {
  expect(standingOf(threshold, violated, 1000)).toBe(standing);
});
