import { expect, test } from 'vitest';
import { getActionForKey, rowAfterKey } from './grid-keys.ts';

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
])('moves from row %i to row %i on the right key', (key, index, expected) => {
  expect(rowAfterKey(key, index, 100, 10)).toBe(expected);
});

test('does not move on another key', () => {
  expect(rowAfterKey('a', 3, 100, 10)).toBeUndefined();
});

const noModifiers = { shiftKey: false, ctrlKey: false, metaKey: false };

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
])('maps %j to the action %s', (press, action) => {
  expect(getActionForKey({ ...noModifiers, ...press })).toBe(action);
});
