import { commands, type Command, type CommandId } from '../../core/app/commands.ts';
import { createStore } from './store.ts';

/** Keys that the user chose in place of a command's own, by its id; empty for none. */
export const chosenKeys = createStore<Readonly<Record<string, string>>>({});

/** Whether keys are being chosen, so that they run nothing. */
export const choosing = createStore(false);

type Keyed = Pick<Command, 'id' | 'keys' | 'browserKeys'>;

/** All keys that do a command. */
function allKeys({ id, keys, browserKeys }: Keyed): readonly string[] {
  const chosen = chosenKeys.get()[id];
  return (chosen === undefined ? [keys, browserKeys] : [chosen]).filter((one): one is string => Boolean(one));
}

const macSymbols: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥' };

/** The keys of a shortcut as caps to show: `Mod+Shift+F` becomes Ctrl, Shift, F. */
export function keyCaps(keys: string, mac: boolean): string[] {
  return keys.split('+').map((key) => (mac ? (macSymbols[key] ?? key) : key === 'Mod' ? 'Ctrl' : key));
}

/** What of a keyboard event a shortcut looks at. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'> &
  Partial<Pick<KeyboardEvent, 'code'>>;

/** The command whose shortcut this key press is. */
export function commandOf(press: KeyPress, mac: boolean): CommandId | undefined {
  if (choosing.get()) return undefined;
  return commands.find((command) => allKeys(command).some((keys) => matches(keys, press, mac)))?.id;
}

function matches(keys: string, press: KeyPress, mac: boolean): boolean {
  const parts = keys.split('+');
  const mod = mac ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey;
  return (
    mod === parts.includes('Mod') &&
    press.shiftKey === parts.includes('Shift') &&
    press.altKey === parts.includes('Alt') &&
    isKey(parts.at(-1) ?? '', press)
  );
}

/** On a Mac, Option makes another letter of a key: its place on the keyboard tells which key it is. */
function isKey(name: string, { key, code, altKey }: KeyPress): boolean {
  return key.toLowerCase() === name.toLowerCase() || (altKey && code === `Key${name}`);
}

/** The keys that do a command here, as a table writes them. */
export function shownKeys(command: Keyed, inBrowser: boolean): string | undefined {
  const [keys, browserKeys] = allKeys(command);
  return inBrowser ? (browserKeys ?? keys) : keys;
}

/** The keys of a command, for a tooltip: `Ctrl+S`. */
export function keysOf(id: CommandId, mac: boolean): string | undefined {
  const command = commands.find((one) => one.id === id);
  const [keys] = command ? allKeys(command) : [];
  return keys === undefined ? undefined : keyCaps(keys, mac).join(mac ? '' : '+');
}

/** The command, other than `id`, that these keys do already. */
export function ownerOf(keys: string, id: CommandId): Command | undefined {
  return commands.find((command) => command.id !== id && allKeys(command).includes(keys));
}

const modifiers = ['Control', 'Meta', 'Shift', 'Alt', 'AltGraph'];

/**
 * The keys of a press as the table writes them; `none` while only modifiers are down, `plain` where it would be typed as
 * text or moves the cursor.
 */
export function keysPressed(press: KeyPress, mac: boolean): string {
  const { key, code = '', shiftKey, altKey } = press;
  if (modifiers.includes(key)) return 'none';
  const mod = mac ? press.metaKey : press.ctrlKey;
  if (!mod && !altKey && !/^F[0-9]{1,2}$/.test(key)) return 'plain';
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  const name = letter ?? (key.length === 1 ? key.toUpperCase() : key);
  return [...(mod ? ['Mod'] : []), ...(altKey ? ['Alt'] : []), ...(shiftKey ? ['Shift'] : []), name].join(
    '+',
  );
}
