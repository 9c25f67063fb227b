import type { ViewId } from './views.ts';

/**
 * The table of commands. Palette, shortcuts, help sheet and native menu are built from it. The handlers are
 * in the page (`renderer/platform/commands.ts`). `Mod` is Cmd on macOS and Ctrl elsewhere.
 */
interface CommandRow {
  readonly id: string;
  readonly label: string;
  readonly menu: CommandMenu;
  readonly keys?: string;
  /** Keys with the same action in a browser, which reserves the others. */
  readonly browserKeys?: string;
  /** Further words for the palette's search. */
  readonly synonyms?: string;
  /** View that handles the command. It is opened first if it is closed. */
  readonly view?: ViewId;
}

export const commandMenus = ['file', 'record', 'data', 'view', 'go', 'help'] as const;
type CommandMenu = (typeof commandMenus)[number];

const table = [
  { id: 'search.focus', label: 'Find records', menu: 'file', keys: 'Mod+Shift+F', view: 'search' },
  {
    id: 'search.replaceAll',
    label: 'Bulk edit all results',
    menu: 'file',
    keys: 'Alt+Shift+R',
    synonyms: 'replace in all',
  },
  { id: 'record.quickOpen', label: 'Go to record', menu: 'file', keys: 'Mod+P', synonyms: 'open id' },
  { id: 'connection.switch', label: 'Switch connection', menu: 'file' },
  { id: 'connection.edit', label: 'Edit this connection', menu: 'file' },
  { id: 'connection.duplicate', label: 'Duplicate this connection', menu: 'file' },
  { id: 'connection.add', label: 'Add connection', menu: 'file' },
  { id: 'connection.proxy', label: 'Default proxy', menu: 'file', synonyms: 'proxy of all connections' },
  { id: 'tab.close', label: 'Close tab', menu: 'file', keys: 'Mod+W', browserKeys: 'Alt+W' },
  { id: 'tab.closeOthers', label: 'Close other tabs', menu: 'file' },
  { id: 'tab.reopen', label: 'Reopen closed tab', menu: 'file', keys: 'Alt+Shift+T' },
  { id: 'app.signOut', label: 'Sign out', menu: 'file' },
  { id: 'record.new', label: 'New record', menu: 'file', keys: 'Alt+Shift+N', synonyms: 'create add' },
  { id: 'record.review', label: 'Review changes', menu: 'record', keys: 'Mod+S' },
  { id: 'record.patch', label: 'Patch', menu: 'record', keys: 'Mod+Shift+P' },
  {
    id: 'record.patchById',
    label: 'Patch a record by ID',
    menu: 'record',
    synonyms: 'compose patch for an id',
  },
  { id: 'record.history', label: 'History', menu: 'record', keys: 'Mod+Shift+H' },
  { id: 'record.audit', label: 'Audit log of this record', menu: 'record', synonyms: 'audit trail' },
  {
    id: 'record.patient',
    label: 'Open this record’s patient',
    menu: 'record',
    synonyms: 'subject person all records timeline open patient of',
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
  { id: 'record.erase', label: 'Erase this record…', menu: 'record', synonyms: 'delete' },
  {
    id: 'record.outline',
    label: 'Go to element',
    menu: 'record',
    keys: 'Mod+Shift+O',
    synonyms: 'outline symbol',
  },
  {
    id: 'record.follow',
    label: 'Go to reference at cursor',
    menu: 'record',
    keys: 'Alt+Enter',
    synonyms: 'follow reference',
  },
  { id: 'record.foldAll', label: 'Fold all', menu: 'record' },
  { id: 'record.foldElements', label: 'Fold to top-level elements', menu: 'record', synonyms: 'elements' },
  { id: 'record.unfoldAll', label: 'Unfold all', menu: 'record' },
  {
    id: 'record.wrap',
    label: 'Toggle word wrap',
    menu: 'record',
    keys: 'Alt+Z',
    synonyms: 'settings line break switch',
  },
  { id: 'data.import', label: 'Import records', menu: 'data', view: 'data' },
  { id: 'data.export', label: 'Export records', menu: 'data', view: 'data' },
  { id: 'backup.now', label: 'Back up now', menu: 'data', view: 'backups' },
  {
    id: 'backup.restore',
    label: 'Restore backup…',
    menu: 'data',
    view: 'backups',
    synonyms: 'restore a backup',
  },
  { id: 'data.packages', label: 'FHIR packages', menu: 'data', view: 'data' },
  { id: 'data.training', label: 'Load training data', menu: 'data', view: 'data' },
  {
    id: 'audit.verify',
    label: 'Verify audit log',
    menu: 'data',
    view: 'audit',
    synonyms: 'check the audit trail',
  },
  { id: 'app.palette', label: 'Find or run a command', menu: 'view', keys: 'Mod+K' },
  {
    id: 'view.sidePanel',
    label: 'Toggle left panel',
    menu: 'view',
    keys: 'Mod+B',
    synonyms: 'show or hide side panel',
  },
  { id: 'view.inspector', label: 'Toggle inspector', menu: 'view', synonyms: 'show or hide' },
  {
    id: 'view.theme',
    label: 'Toggle light/dark theme',
    menu: 'view',
    keys: 'Mod+Shift+L',
    synonyms: 'switch theme color colour mode settings',
  },
  {
    id: 'view.density',
    label: 'Toggle compact rows',
    menu: 'view',
    synonyms: 'switch comfortable density settings',
  },
  { id: 'tab.next', label: 'Next tab', menu: 'go', keys: 'Alt+PageDown' },
  { id: 'tab.previous', label: 'Previous tab', menu: 'go', keys: 'Alt+PageUp' },
  {
    id: 'quality.next',
    label: 'Next issue',
    menu: 'go',
    keys: 'Alt+F8',
    view: 'quality',
    synonyms: 'finding',
  },
  {
    id: 'quality.previous',
    label: 'Previous issue',
    menu: 'go',
    keys: 'Alt+Shift+F8',
    view: 'quality',
    synonyms: 'finding',
  },
  {
    id: 'region.next',
    label: 'Focus next part of window',
    menu: 'go',
    keys: 'F6',
    synonyms: 'next part of the window',
  },
  {
    id: 'region.previous',
    label: 'Focus previous part of window',
    menu: 'go',
    keys: 'Shift+F6',
    synonyms: 'previous part of the window',
  },
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
    label: 'Toggle practice panel',
    menu: 'help',
    synonyms: 'show or hide training exercises learn tutorial tasks',
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
