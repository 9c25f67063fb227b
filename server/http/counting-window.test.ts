import { expect, test } from 'vitest';
import { countingWindow } from './throttle.ts';

test('as many as the limit pass in a minute; then the wait is told, and shrinks', () => {
  let now = 1_000_000;
  const take = countingWindow(2, () => now);
  expect([take('a'), take('a'), take('a')]).toEqual([undefined, undefined, 60]);
  expect(take('b')).toBeUndefined();
  now += 59_500;
  expect(take('a')).toBe(1);
  now += 500;
  expect(take('a')).toBeUndefined();
});

test('a clock that steps back opens a new window', () => {
  let now = 1_000_000;
  const take = countingWindow(1, () => now);
  take('a');
  now -= 500_000;
  expect(take('a')).toBeUndefined();
});
