import { expect, onTestFinished, test } from 'vitest';
import { commandMenus, commands, isCommandId } from '../../core/app/commands.ts';
import { chosenKeys, choosing, commandOf, keyCaps, keysOf, keysPressed, ownerOf, shownKeys } from './keys.ts';

const none = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

test('a shortcut needs exactly its modifiers', () => {
  expect(commandOf({ ...none, key: 's', ctrlKey: true }, false)).toBe('record.review');
  expect(commandOf({ ...none, key: 'S', ctrlKey: true, shiftKey: true }, false)).toBeUndefined();
  expect(commandOf({ ...none, key: 's' }, false)).toBeUndefined();
  expect(commandOf({ ...none, key: 'F6' }, false)).toBe('region.next');
});

test('Mod is Cmd on a Mac and Ctrl elsewhere', () => {
  expect(commandOf({ ...none, key: 's', metaKey: true }, true)).toBe('record.review');
  expect(commandOf({ ...none, key: 's', ctrlKey: true }, true)).toBeUndefined();
  expect(keyCaps('Mod+Shift+F', true)).toEqual(['⌘', '⇧', 'F']);
  expect(keysOf('search.focus', false)).toBe('Ctrl+Shift+F');
});

test('keys that a browser keeps for itself have others beside them', () => {
  expect(commandOf({ ...none, key: 'w', ctrlKey: true }, false)).toBe('tab.close');
  expect(commandOf({ ...none, key: 'w', altKey: true }, false)).toBe('tab.close');
  const close = commands.filter(({ id }) => id === 'tab.close');
  expect(close.map((command) => [shownKeys(command, true), shownKeys(command, false)])).toEqual([
    ['Alt+W', 'Mod+W'],
  ]);
});

test('a letter that Option turns into another is still its key', () => {
  expect(commandOf({ ...none, key: '∑', code: 'KeyW', altKey: true }, true)).toBe('tab.close');
  expect(commandOf({ ...none, key: '∑', code: 'KeyW' }, true)).toBeUndefined();
});

test('no two commands share an id or keys, and each has a menu', () => {
  const keys = commands.flatMap((command) => [command.keys, command.browserKeys].filter(Boolean));
  expect(new Set(keys).size).toBe(keys.length);
  expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length);
  expect(new Set(commands.map(({ menu }) => menu))).toEqual(new Set(commandMenus));
  expect([isCommandId('tab.close'), isCommandId('tab.none')]).toEqual([true, false]);
});

test('chosen keys take the place of a command’s own, and none of them is done twice', () => {
  onTestFinished(() => chosenKeys.set({}));
  const press = { ...none, key: 'J', code: 'KeyJ', ctrlKey: true, shiftKey: true };
  expect(keysPressed(press, false)).toBe('Mod+Shift+J');
  expect(ownerOf('Mod+Shift+J', 'tab.close')).toBeUndefined();
  chosenKeys.set({ 'tab.close': 'Mod+Shift+J', 'app.help': '' });
  expect(commandOf(press, false)).toBe('tab.close');
  expect(commandOf({ ...none, key: 'w', altKey: true }, false)).toBeUndefined();
  expect(commandOf({ ...none, key: 'F1', shiftKey: true }, false)).toBeUndefined();
  expect([keysOf('tab.close', false), keysOf('app.help', false)]).toEqual(['Ctrl+Shift+J', undefined]);
  expect(ownerOf('Mod+Shift+J', 'record.review')?.id).toBe('tab.close');
  expect(ownerOf('Mod+S', 'tab.close')?.id).toBe('record.review');
});

test.each([
  [{ key: 'Shift', shiftKey: true }, 'none'],
  [{ key: 'a', code: 'KeyA' }, 'plain'],
  [{ key: 'ArrowDown' }, 'plain'],
  [{ key: 'F9' }, 'F9'],
  [{ key: '∑', code: 'KeyW', altKey: true }, 'Alt+W'],
  [{ key: 'PageDown', altKey: true }, 'Alt+PageDown'],
])('the keys of the press %j are %s', (press, keys) => {
  expect(keysPressed({ ...none, ...press }, false)).toBe(keys);
});

test('while keys are chosen a press runs nothing', () => {
  onTestFinished(() => choosing.set(false));
  choosing.set(true);
  expect(commandOf({ ...none, key: 's', ctrlKey: true }, false)).toBeUndefined();
});
