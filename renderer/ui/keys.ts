import { commands, type CommandId } from '../../core/app/commands.ts';

const macSymbols: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥' };

/** The keys of a shortcut as caps to show: `Mod+Shift+F` becomes Ctrl, Shift, F. */
export function keyCaps(keys: string, mac: boolean): string[] {
  return keys.split('+').map((key) => (mac ? (macSymbols[key] ?? key) : key === 'Mod' ? 'Ctrl' : key));
}

/** What of a keyboard event a shortcut looks at. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/** The command whose shortcut this key press is. */
export function commandOf(press: KeyPress, mac: boolean): CommandId | undefined {
  return commands.find(({ keys }) => keys !== undefined && matches(keys, press, mac))?.id;
}

function matches(keys: string, press: KeyPress, mac: boolean): boolean {
  const parts = keys.split('+');
  const mod = mac ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey;
  return (
    mod === parts.includes('Mod') &&
    press.shiftKey === parts.includes('Shift') &&
    press.altKey === parts.includes('Alt') &&
    press.key.toLowerCase() === parts.at(-1)?.toLowerCase()
  );
}

/** The keys of a command, for a tooltip: `Ctrl+S`. */
export function keysOf(id: CommandId, mac: boolean): string | undefined {
  const keys = commands.find((command) => command.id === id)?.keys;
  return keys === undefined ? undefined : keyCaps(keys, mac).join(mac ? '' : '+');
}
