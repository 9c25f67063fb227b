import { expect, test } from 'vitest';
import { formatDuration } from './lasting.ts';

test('returns days, months or years', () => {
  expect([1, 31, 89, 90, 365, 730, 731, 1110, 2292].map(formatDuration)).toEqual([
    '1 day',
    '31 days',
    '89 days',
    '3 months',
    '12 months',
    '24 months',
    '2 years',
    '3 years',
    '6 years',
  ]);
});
