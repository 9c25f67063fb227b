import { expect, test } from 'vitest';
import { commandOf, keyCaps, keysOf } from './keys.ts';

const none = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

test('a shortcut needs exactly its modifiers', () => {
  expect(commandOf({ ...none, key: 's', ctrlKey: true }, false)).toBe('record.review');
  expect(commandOf({ ...none, key: 'S', ctrlKey: true, shiftKey: true }, false)).toBeUndefined();
  expect(commandOf({ ...none, key: 's' }, false)).toBeUndefined();
});

test('Mod is Cmd on a Mac and Ctrl elsewhere', () => {
  expect(commandOf({ ...none, key: 's', metaKey: true }, true)).toBe('record.review');
  expect(commandOf({ ...none, key: 's', ctrlKey: true }, true)).toBeUndefined();
  expect(keyCaps('Mod+Shift+F', true)).toEqual(['⌘', '⇧', 'F']);
  expect(keysOf('search.focus', false)).toBe('Ctrl+Shift+F');
});
