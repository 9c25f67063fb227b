import { expect, test } from 'vitest';
import { secondsToWait } from './precondition.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

test.each([
  ['7', 7],
  ['120', 120],
  [' 0 ', 0],
  ['Thu, 01 Jan 2026 00:00:09 GMT', 9],
  ['Wed, 31 Dec 2025 23:59:59 GMT', 0],
  ['soon', undefined],
  ['-3', undefined],
  ['', undefined],
  [null, undefined],
])('parses Retry-After %j as %j seconds', (header, seconds) => {
  expect(secondsToWait(header, now)).toBe(seconds);
});
