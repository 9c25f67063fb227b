import { commands, type Command, type CommandId } from '../../core/app/commands.ts';
import { createStore } from './store.ts';

/** Keys that the user assigned to commands, by command id; empty for no keys. */
export const userKeys = createStore<Readonly<Record<string, string>>>({});

/** True while the user assigns keys, so that key presses run nothing. */
export const isAssigningKeys = createStore(false);

type CommandKeys = Pick<Command, 'id' | 'keys' | 'browserKeys'>;

function listKeys({ id, keys, browserKeys }: CommandKeys): readonly string[] {
  const assignedKeys = userKeys.get()[id];
  return (assignedKeys === undefined ? [keys, browserKeys] : [assignedKeys]).filter((key): key is string =>
    Boolean(key),
  );
}

const macSymbols: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥' };

/** Returns the key caps of a shortcut: `Mod+Shift+F` becomes Ctrl, Shift, F. */
export function keyCaps(keys: string, mac: boolean): string[] {
  return keys.split('+').map((key) => (mac ? (macSymbols[key] ?? key) : key === 'Mod' ? 'Ctrl' : key));
}

/** The parts of a keyboard event that a shortcut uses. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'> &
  Partial<Pick<KeyboardEvent, 'code'>>;

/** Returns the command of a key press. */
export function commandOf(press: KeyPress, mac: boolean): CommandId | undefined {
  if (isAssigningKeys.get()) return undefined;
  return commands.find((command) => listKeys(command).some((keys) => matches(keys, press, mac)))?.id;
}

function matches(keys: string, press: KeyPress, mac: boolean): boolean {
  const parts = keys.split('+');
  const isModPressed = mac ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey;
  return (
    isModPressed === parts.includes('Mod') &&
    press.shiftKey === parts.includes('Shift') &&
    press.altKey === parts.includes('Alt') &&
    isKey(parts.at(-1) ?? '', press)
  );
}

/** On a Mac, Option changes the letter of a key. Its position on the keyboard identifies it. */
function isKey(name: string, { key, code, altKey }: KeyPress): boolean {
  return key.toLowerCase() === name.toLowerCase() || (altKey && code === `Key${name}`);
}

/** Returns the keys of a command in this environment, as a table shows them. */
export function formatCommandKeys(command: CommandKeys, inBrowser: boolean): string | undefined {
  const [keys, browserKeys] = listKeys(command);
  return inBrowser ? (browserKeys ?? keys) : keys;
}

/** Returns the keys of a command for a tooltip: `Ctrl+S`. */
export function keysOf(id: CommandId, mac: boolean): string | undefined {
  const command = commands.find((candidate) => candidate.id === id);
  const [keys] = command ? listKeys(command) : [];
  return keys === undefined ? undefined : formatKeys(keys, mac);
}

/** Formats keys for a sentence: `Ctrl+Z`, `⌘Z`. */
export function formatKeys(keys: string, mac: boolean): string {
  return keyCaps(keys, mac).join(mac ? '' : '+');
}

/** Returns the command, other than `id`, that uses these keys. */
export function ownerOf(keys: string, id: CommandId): Command | undefined {
  return commands.find((command) => command.id !== id && listKeys(command).includes(keys));
}

const modifiers = ['Control', 'Meta', 'Shift', 'Alt', 'AltGraph'];

/**
 * Returns the keys of a press as shown in the table; `none` while only modifiers are pressed, `plain` if it
 * types text or moves the cursor.
 */
export function keysPressed(press: KeyPress, mac: boolean): string {
  const { key, code = '', shiftKey, altKey } = press;
  if (modifiers.includes(key)) return 'none';
  const isModPressed = mac ? press.metaKey : press.ctrlKey;
  if (!isModPressed && !altKey && !/^F[0-9]{1,2}$/.test(key)) return 'plain';
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  const name = letter ?? (key.length === 1 ? key.toUpperCase() : key);
  return [
    ...(isModPressed ? ['Mod'] : []),
    ...(altKey ? ['Alt'] : []),
    ...(shiftKey ? ['Shift'] : []),
    name,
  ].join('+');
}
