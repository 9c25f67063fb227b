import { expect, test } from 'vitest';
import { createCountingWindow } from './access.ts';

test('accepts the limit per minute, then returns a shrinking wait', () => {
  let now = 1_000_000;
  const count = createCountingWindow(2, () => now);
  expect([count('a'), count('a'), count('a')]).toEqual([undefined, undefined, 60]);
  expect(count('b')).toBeUndefined();
  now += 59_500;
  expect(count('a')).toBe(1);
  now += 500;
  expect(count('a')).toBeUndefined();
});

test('opens a new window if the clock goes back', () => {
  let now = 1_000_000;
  const count = createCountingWindow(1, () => now);
  count('a');
  now -= 500_000;
  expect(count('a')).toBeUndefined();
});
