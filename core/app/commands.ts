/**
 * The one table of commands: palette, shortcuts in the page, the help sheet and the native menu are made from it.
 * `Mod` is Cmd on macOS and Ctrl elsewhere.
 */
export interface Command {
  readonly id: CommandId;
  readonly label: string;
  readonly menu: CommandMenu;
  readonly keys?: string;
  /** Keys that do the same in a browser, which keeps the others for itself. */
  readonly browserKeys?: string;
}

export const commandMenus = ['file', 'record', 'data', 'view', 'go', 'help'] as const;
export type CommandMenu = (typeof commandMenus)[number];

export type CommandId =
  | 'app.palette'
  | 'search.focus'
  | 'record.quickOpen'
  | 'tab.close'
  | 'tab.closeOthers'
  | 'tab.reopen'
  | 'record.review'
  | 'record.patch'
  | 'record.patchById'
  | 'record.history'
  | 'record.format'
  | 'record.discard'
  | 'record.reload'
  | 'record.outline'
  | 'record.follow'
  | 'record.foldAll'
  | 'record.foldElements'
  | 'record.unfoldAll'
  | 'record.wrap'
  | 'data.import'
  | 'data.export'
  | 'data.training'
  | 'backup.now'
  | 'backup.restore'
  | 'audit.verify'
  | 'connection.switch'
  | 'connection.edit'
  | 'connection.add'
  | 'view.theme'
  | 'view.density'
  | 'view.sidePanel'
  | 'view.inspector'
  | 'tab.next'
  | 'tab.previous'
  | 'region.next'
  | 'region.previous'
  | 'search.replaceAll'
  | 'quality.next'
  | 'quality.previous'
  | 'app.help';

export const commands: readonly Command[] = [
  { id: 'search.focus', label: 'Find records', menu: 'file', keys: 'Mod+Shift+F' },
  { id: 'search.replaceAll', label: 'Replace in all results', menu: 'file', keys: 'Alt+Shift+R' },
  { id: 'record.quickOpen', label: 'Open record by id', menu: 'file', keys: 'Mod+P' },
  { id: 'connection.switch', label: 'Switch connection', menu: 'file' },
  { id: 'connection.edit', label: 'Edit this connection', menu: 'file' },
  { id: 'connection.add', label: 'Add connection', menu: 'file' },
  { id: 'tab.close', label: 'Close tab', menu: 'file', keys: 'Mod+W', browserKeys: 'Alt+W' },
  { id: 'tab.closeOthers', label: 'Close other tabs', menu: 'file' },
  { id: 'tab.reopen', label: 'Reopen closed tab', menu: 'file', keys: 'Alt+Shift+T' },
  { id: 'record.review', label: 'Review changes', menu: 'record', keys: 'Mod+S' },
  { id: 'record.patch', label: 'Patch', menu: 'record', keys: 'Mod+Shift+P' },
  { id: 'record.patchById', label: 'Compose patch for an id', menu: 'record' },
  { id: 'record.history', label: 'History', menu: 'record', keys: 'Mod+Shift+H' },
  { id: 'record.format', label: 'Format JSON', menu: 'record', keys: 'Mod+Shift+I' },
  { id: 'record.discard', label: 'Discard changes', menu: 'record' },
  { id: 'record.reload', label: 'Reload from server', menu: 'record' },
  { id: 'record.outline', label: 'Outline of the record', menu: 'record', keys: 'Mod+Shift+O' },
  { id: 'record.follow', label: 'Follow reference at the cursor', menu: 'record', keys: 'Alt+Enter' },
  { id: 'record.foldAll', label: 'Fold all', menu: 'record' },
  { id: 'record.foldElements', label: 'Fold to the elements', menu: 'record' },
  { id: 'record.unfoldAll', label: 'Unfold all', menu: 'record' },
  { id: 'record.wrap', label: 'Switch word wrap', menu: 'record', keys: 'Alt+Z' },
  { id: 'data.import', label: 'Import records', menu: 'data' },
  { id: 'data.export', label: 'Export records', menu: 'data' },
  { id: 'backup.now', label: 'Back up now', menu: 'data' },
  { id: 'backup.restore', label: 'Restore a backup', menu: 'data' },
  { id: 'data.training', label: 'Load training data', menu: 'data' },
  { id: 'audit.verify', label: 'Check the audit trail', menu: 'data' },
  { id: 'app.palette', label: 'Search or run a command', menu: 'view', keys: 'Mod+K' },
  { id: 'view.sidePanel', label: 'Show or hide left panel', menu: 'view', keys: 'Mod+B' },
  { id: 'view.inspector', label: 'Show or hide inspector', menu: 'view' },
  { id: 'view.theme', label: 'Switch light and dark', menu: 'view', keys: 'Mod+Shift+L' },
  { id: 'view.density', label: 'Switch comfortable and compact rows', menu: 'view' },
  { id: 'tab.next', label: 'Next tab', menu: 'go', keys: 'Alt+PageDown' },
  { id: 'tab.previous', label: 'Previous tab', menu: 'go', keys: 'Alt+PageUp' },
  { id: 'quality.next', label: 'Next finding', menu: 'go', keys: 'Alt+F8' },
  { id: 'quality.previous', label: 'Previous finding', menu: 'go', keys: 'Alt+Shift+F8' },
  { id: 'region.next', label: 'Next part of the window', menu: 'go', keys: 'F6' },
  { id: 'region.previous', label: 'Previous part of the window', menu: 'go', keys: 'Shift+F6' },
  { id: 'app.help', label: 'Keyboard shortcuts', menu: 'help', keys: 'F1' },
];

export function isCommandId(id: string): id is CommandId {
  return commands.some((command) => command.id === id);
}
