import { expect, test } from 'vitest';
import { actAfterKey, rowAfterKey } from './grid-keys.ts';

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

const plain = { shiftKey: false, ctrlKey: false, metaKey: false };

test.each([
  [{ key: 'Enter' }, 'open'],
  [{ key: ' ' }, 'toggle'],
  [{ key: 'Escape' }, 'leave'],
  [{ key: 'ContextMenu' }, 'menu'],
  [{ key: 'F10', shiftKey: true }, 'menu'],
  [{ key: 'F10' }, undefined],
  [{ key: 'c', ctrlKey: true }, 'copy'],
  [{ key: 'A', metaKey: true }, 'all'],
  [{ key: 'Enter', ctrlKey: true }, undefined],
  [{ key: 'c' }, undefined],
])('%j asks for %s', (press, act) => {
  expect(actAfterKey({ ...plain, ...press })).toBe(act);
});
