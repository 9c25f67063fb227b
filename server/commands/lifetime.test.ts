import { expect, test } from 'vitest';
import { lifetimeOf } from './token-command.ts';

test.each([
  ['30m', 1800],
  ['12h', 43_200],
  ['90d', 7_776_000],
  ['4w', 2_419_200],
])('parses %s as %i seconds', (text, seconds) => {
  expect(lifetimeOf(text)).toBe(seconds);
});

test.each(['', '0d', '1.5h', '-1d', '90', 'd', '90D', '12345678m', '1 d'])('rejects %j', (text) => {
  expect(() => lifetimeOf(text)).toThrow('--expires needs a number with m, h, d or w: 30m, 12h, 90d, 4w.');
});
