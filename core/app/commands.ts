/**
 * The one table of commands: shortcuts in the page, the help sheet and the native menu are made from it.
 * `Mod` is Cmd on macOS and Ctrl elsewhere.
 */
export interface Command {
  readonly id: CommandId;
  readonly label: string;
  readonly menu: 'file' | 'record' | 'view';
  readonly keys?: string;
}

export type CommandId =
  | 'search.focus'
  | 'tab.close'
  | 'record.review'
  | 'record.patch'
  | 'record.format'
  | 'record.reload'
  | 'view.theme';

export const commands: readonly Command[] = [
  { id: 'search.focus', label: 'Find records', menu: 'file', keys: 'Mod+Shift+F' },
  { id: 'tab.close', label: 'Close tab', menu: 'file', keys: 'Mod+W' },
  { id: 'record.review', label: 'Review changes', menu: 'record', keys: 'Mod+S' },
  { id: 'record.patch', label: 'Patch', menu: 'record', keys: 'Mod+Shift+P' },
  { id: 'record.format', label: 'Format JSON', menu: 'record', keys: 'Mod+Shift+I' },
  { id: 'record.reload', label: 'Reload from server', menu: 'record' },
  { id: 'view.theme', label: 'Switch light and dark', menu: 'view', keys: 'Mod+Shift+L' },
];

export function isCommandId(id: string): id is CommandId {
  return commands.some((command) => command.id === id);
}
