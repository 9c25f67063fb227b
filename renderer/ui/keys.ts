import { commands, type Command, type CommandId } from '../../core/app/commands.ts';

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
  return commands.find(({ keys, browserKeys }) =>
    [keys, browserKeys].some((one) => one !== undefined && matches(one, press, mac)),
  )?.id;
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
export function shownKeys({ keys, browserKeys }: Command, inBrowser: boolean): string | undefined {
  return inBrowser ? (browserKeys ?? keys) : keys;
}

/** The keys of a command, for a tooltip: `Ctrl+S`. */
export function keysOf(id: CommandId, mac: boolean): string | undefined {
  const keys = commands.find((command) => command.id === id)?.keys;
  return keys === undefined ? undefined : keyCaps(keys, mac).join(mac ? '' : '+');
}
