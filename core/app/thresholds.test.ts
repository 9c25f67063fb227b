import { expect, test } from 'vitest';
import type { Threshold } from './measures.ts';
import { parseLimit, formatLimit, getThresholdStatus } from './thresholds.ts';

test.each([
  ['', undefined],
  ['3', { count: 3 }],
  [' 2 % ', { percent: 2 }],
  ['0.5%', { percent: 0.5 }],
  ['2.25%', { percent: 2.25 }],
  ['0.5', 'wrong'],
  ['101 %', 'wrong'],
  ['many', 'wrong'],
  ['over 3', 'wrong'],
  ['3 records', 'wrong'],
] as const)('parses and formats the threshold %j', (input, limit) => {
  expect(parseLimit(input)).toEqual(limit);
  if (limit !== 'wrong') expect(parseLimit(formatLimit(limit))).toEqual(limit);
});

const limits: Threshold = { warnAbove: { count: 3 }, failAbove: { percent: 2 } };

test.each([
  [{}, 100, undefined],
  [limits, 3, 'within'],
  [limits, 4, 'warning'],
  // 2% of 1,000 records are 20.
  [limits, 20, 'warning'],
  [limits, 21, 'failure'],
  [{ failAbove: { count: 0 } }, 1, 'failure'],
] as const)(
  'returns the status for %j with %i violations of 1,000: %s',
  (threshold, violatedCount, status) => {
    expect(getThresholdStatus(threshold, violatedCount, 1000)).toBe(status);
  },
);
