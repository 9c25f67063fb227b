import type { ViewId } from './views.ts';

/**
 * The one table of commands: palette, shortcuts in the page, the help sheet and the native menu are made from it. What
 * a command does is said by the part of the page that handles it (`renderer/platform/commands.ts`).
 * `Mod` is Cmd on macOS and Ctrl elsewhere.
 */
interface CommandRow {
  readonly id: string;
  readonly label: string;
  readonly menu: CommandMenu;
  readonly keys?: string;
  /** Keys that do the same in a browser, which keeps the others for itself. */
  readonly browserKeys?: string;
  /** Other words by which it is looked for. */
  readonly synonyms?: string;
  /** The view that handles it, and that is opened for it where it is not open. */
  readonly view?: ViewId;
}

export const commandMenus = ['file', 'record', 'data', 'view', 'go', 'help'] as const;
type CommandMenu = (typeof commandMenus)[number];

const table = [
  { id: 'search.focus', label: 'Find records', menu: 'file', keys: 'Mod+Shift+F', view: 'search' },
  { id: 'search.replaceAll', label: 'Replace in all results', menu: 'file', keys: 'Alt+Shift+R' },
  { id: 'record.quickOpen', label: 'Open record by id', menu: 'file', keys: 'Mod+P' },
  { id: 'connection.switch', label: 'Switch connection', menu: 'file' },
  { id: 'connection.edit', label: 'Edit this connection', menu: 'file' },
  { id: 'connection.duplicate', label: 'Duplicate this connection', menu: 'file' },
  { id: 'connection.add', label: 'Add connection', menu: 'file' },
  { id: 'connection.proxy', label: 'Proxy of all connections', menu: 'file' },
  { id: 'tab.close', label: 'Close tab', menu: 'file', keys: 'Mod+W', browserKeys: 'Alt+W' },
  { id: 'tab.closeOthers', label: 'Close other tabs', menu: 'file' },
  { id: 'tab.reopen', label: 'Reopen closed tab', menu: 'file', keys: 'Alt+Shift+T' },
  { id: 'app.signOut', label: 'Sign out', menu: 'file' },
  { id: 'record.new', label: 'New record', menu: 'file', keys: 'Alt+Shift+N', synonyms: 'create add' },
  { id: 'record.review', label: 'Review changes', menu: 'record', keys: 'Mod+S' },
  { id: 'record.patch', label: 'Patch', menu: 'record', keys: 'Mod+Shift+P' },
  { id: 'record.patchById', label: 'Compose patch for an id', menu: 'record' },
  { id: 'record.history', label: 'History', menu: 'record', keys: 'Mod+Shift+H' },
  { id: 'record.audit', label: 'Audit trail of the record', menu: 'record' },
  {
    id: 'record.patient',
    label: 'Open patient of this record',
    menu: 'record',
    synonyms: 'subject person all records timeline',
  },
  {
    id: 'record.print',
    label: 'Print this record',
    menu: 'record',
    keys: 'Alt+Shift+P',
    synonyms: 'paper pdf',
  },
  { id: 'record.format', label: 'Format JSON', menu: 'record', keys: 'Mod+Shift+I' },
  { id: 'record.discard', label: 'Discard changes', menu: 'record', synonyms: 'undo revert' },
  { id: 'record.reload', label: 'Reload from server', menu: 'record' },
  { id: 'record.duplicate', label: 'Duplicate this record', menu: 'record', synonyms: 'copy clone' },
  {
    id: 'record.enteredInError',
    label: 'Mark as entered in error',
    menu: 'record',
    synonyms: 'delete wrong status',
  },
  { id: 'record.erase', label: 'Erase this record', menu: 'record' },
  { id: 'record.outline', label: 'Outline of the record', menu: 'record', keys: 'Mod+Shift+O' },
  { id: 'record.follow', label: 'Follow reference at the cursor', menu: 'record', keys: 'Alt+Enter' },
  { id: 'record.foldAll', label: 'Fold all', menu: 'record' },
  { id: 'record.foldElements', label: 'Fold to the elements', menu: 'record' },
  { id: 'record.unfoldAll', label: 'Unfold all', menu: 'record' },
  {
    id: 'record.wrap',
    label: 'Switch word wrap',
    menu: 'record',
    keys: 'Alt+Z',
    synonyms: 'settings line break',
  },
  { id: 'data.import', label: 'Import records', menu: 'data', view: 'data' },
  { id: 'data.export', label: 'Export records', menu: 'data', view: 'data' },
  { id: 'backup.now', label: 'Back up now', menu: 'data', view: 'backups' },
  { id: 'backup.restore', label: 'Restore a backup', menu: 'data', view: 'backups' },
  { id: 'data.packages', label: 'FHIR packages', menu: 'data', view: 'data' },
  { id: 'data.training', label: 'Load training data', menu: 'data', view: 'data' },
  { id: 'audit.verify', label: 'Check the audit trail', menu: 'data', view: 'audit' },
  { id: 'app.palette', label: 'Find or run a command', menu: 'view', keys: 'Mod+K' },
  { id: 'view.sidePanel', label: 'Show or hide left panel', menu: 'view', keys: 'Mod+B' },
  { id: 'view.inspector', label: 'Show or hide inspector', menu: 'view' },
  {
    id: 'view.theme',
    label: 'Switch light and dark',
    menu: 'view',
    keys: 'Mod+Shift+L',
    synonyms: 'theme colours mode settings',
  },
  {
    id: 'view.density',
    label: 'Switch comfortable and compact rows',
    menu: 'view',
    synonyms: 'density settings',
  },
  { id: 'tab.next', label: 'Next tab', menu: 'go', keys: 'Alt+PageDown' },
  { id: 'tab.previous', label: 'Previous tab', menu: 'go', keys: 'Alt+PageUp' },
  { id: 'quality.next', label: 'Next finding', menu: 'go', keys: 'Alt+F8', view: 'quality' },
  { id: 'quality.previous', label: 'Previous finding', menu: 'go', keys: 'Alt+Shift+F8', view: 'quality' },
  { id: 'region.next', label: 'Next part of the window', menu: 'go', keys: 'F6' },
  { id: 'region.previous', label: 'Previous part of the window', menu: 'go', keys: 'Shift+F6' },
  {
    id: 'app.settings',
    label: 'Settings',
    menu: 'view',
    keys: 'Mod+,',
    synonyms: 'preferences options',
    view: 'settings',
  },
  {
    id: 'app.about',
    label: 'About Chartkeeper',
    menu: 'help',
    synonyms: 'version licence data folder',
    view: 'settings',
  },
  {
    id: 'view.practice',
    label: 'Show or hide practice',
    menu: 'help',
    synonyms: 'training exercises learn tutorial tasks',
  },
  {
    id: 'app.guide',
    label: 'User’s guide',
    menu: 'help',
    keys: 'F1',
    synonyms: 'help manual',
    view: 'guide',
  },
  { id: 'app.help', label: 'Keyboard shortcuts', menu: 'help', keys: 'Shift+F1', synonyms: 'help keys' },
] as const satisfies readonly CommandRow[];

export type CommandId = (typeof table)[number]['id'];

export interface Command extends CommandRow {
  readonly id: CommandId;
}

export const commands: readonly Command[] = table;

export function isCommandId(id: string): id is CommandId {
  return commands.some((command) => command.id === id);
}
