import { expect, test } from 'vitest';
import { rowAfterKey } from './grid-keys.ts';

test.each([
  ['ArrowDown', 3, 4],
  ['ArrowUp', 3, 2],
  ['PageDown', 3, 13],
  ['PageUp', 13, 3],
  ['Home', 50, 0],
  ['End', 3, 99],
  ['ArrowUp', 0, 0],
  ['ArrowDown', 99, 99],
  ['PageUp', 4, 0],
])('%s moves from row %i to row %i', (key, from, to) => {
  expect(rowAfterKey(key, from, 100, 10)).toBe(to);
});

test('other keys do not move', () => {
  expect(rowAfterKey('a', 3, 100, 10)).toBeUndefined();
});
