import { expect, onTestFinished, test } from 'vitest';
import { commandMenus, commands, isCommandId } from '../../core/app/commands.ts';
import {
  userKeys,
  isAssigningKeys,
  commandOf,
  keyCaps,
  keysOf,
  keysPressed,
  ownerOf,
  formatCommandKeys,
} from './keys.ts';

const noModifiers = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

test('requires exactly the modifiers of a shortcut', () => {
  expect(commandOf({ ...noModifiers, key: 's', ctrlKey: true }, false)).toBe('record.review');
  expect(commandOf({ ...noModifiers, key: 'S', ctrlKey: true, shiftKey: true }, false)).toBeUndefined();
  expect(commandOf({ ...noModifiers, key: 's' }, false)).toBeUndefined();
  expect(commandOf({ ...noModifiers, key: 'F6' }, false)).toBe('region.next');
});

test('uses Cmd on a Mac and Ctrl elsewhere', () => {
  expect(commandOf({ ...noModifiers, key: 's', metaKey: true }, true)).toBe('record.review');
  expect(commandOf({ ...noModifiers, key: 's', ctrlKey: true }, true)).toBeUndefined();
  expect(keyCaps('Mod+Shift+F', true)).toEqual(['⌘', '⇧', 'F']);
  expect(keysOf('search.focus', false)).toBe('Ctrl+Shift+F');
});

test('has alternatives for keys that a browser reserves', () => {
  expect(commandOf({ ...noModifiers, key: 'w', ctrlKey: true }, false)).toBe('tab.close');
  expect(commandOf({ ...noModifiers, key: 'w', altKey: true }, false)).toBe('tab.close');
  const close = commands.filter(({ id }) => id === 'tab.close');
  expect(
    close.map((command) => [formatCommandKeys(command, true), formatCommandKeys(command, false)]),
  ).toEqual([['Alt+W', 'Mod+W']]);
});

test('recognizes a letter that Option changes', () => {
  expect(commandOf({ ...noModifiers, key: '∑', code: 'KeyW', altKey: true }, true)).toBe('tab.close');
  expect(commandOf({ ...noModifiers, key: '∑', code: 'KeyW' }, true)).toBeUndefined();
});

test('has unique IDs and keys and a menu for each command', () => {
  const keys = commands.flatMap((command) => [command.keys, command.browserKeys].filter(Boolean));
  expect(new Set(keys).size).toBe(keys.length);
  expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length);
  expect(new Set(commands.map(({ menu }) => menu))).toEqual(new Set(commandMenus));
  expect([isCommandId('tab.close'), isCommandId('tab.none')]).toEqual([true, false]);
});

test("replaces the keys of a command by the user's keys without duplicates", () => {
  onTestFinished(() => userKeys.set({}));
  const press = { ...noModifiers, key: 'J', code: 'KeyJ', ctrlKey: true, shiftKey: true };
  expect(keysPressed(press, false)).toBe('Mod+Shift+J');
  expect(ownerOf('Mod+Shift+J', 'tab.close')).toBeUndefined();
  userKeys.set({ 'tab.close': 'Mod+Shift+J', 'app.help': '' });
  expect(commandOf(press, false)).toBe('tab.close');
  expect(commandOf({ ...noModifiers, key: 'w', altKey: true }, false)).toBeUndefined();
  expect(commandOf({ ...noModifiers, key: 'F1', shiftKey: true }, false)).toBeUndefined();
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
])('reads the keys of %j as %s', (press, keys) => {
  expect(keysPressed({ ...noModifiers, ...press }, false)).toBe(keys);
});

test('runs nothing while keys are being assigned', () => {
  onTestFinished(() => isAssigningKeys.set(false));
  isAssigningKeys.set(true);
  expect(commandOf({ ...noModifiers, key: 's', ctrlKey: true }, false)).toBeUndefined();
});
