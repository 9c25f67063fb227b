import { Menu, type BrowserWindow, type MenuItemConstructorOptions } from 'electron';
import { commands, type Command, type CommandId } from '../core/app/commands.ts';
import { channels } from '../core/app/shell.ts';
import { lockChoices, type LockMinutes, type ShellState } from './shell-state.ts';
import { text } from './text.ts';

type Item = MenuItemConstructorOptions;
type Role = NonNullable<Item['role']>;

export interface MenuActions {
  readonly command: (id: CommandId) => void;
  readonly openFiles: () => void;
  readonly openConnection: (name: string) => void;
  readonly lock: () => void;
  readonly lockAfter: (minutes: LockMinutes) => void;
  /** Zoom levels to add. 0 restores the actual size. */
  readonly zoom: (delta: -1 | 0 | 1) => void;
  readonly exportDiagnostics: () => void;
  readonly fetchUpdate: () => void;
}

const SEPARATOR: Item = { type: 'separator' };
const roles = (...names: Role[]): Item[] => names.map((role) => ({ role }));

function commandItems(menu: Command['menu'], send: MenuActions['command']): Item[] {
  return commands
    .filter((command) => command.menu === menu)
    .map(({ id, label, keys }) => ({
      id,
      label,
      click: () => send(id),
      // Only displayed: the page handles the keys, where they can be changed. A Mac menu handles them anyway.
      ...(keys !== undefined && {
        accelerator: keys.replace(/\bMod\b/, 'CmdOrCtrl'),
        registerAccelerator: false,
      }),
    }));
}

function recentItems(names: readonly string[], actions: MenuActions): Item[] {
  if (names.length === 0) return [{ label: text.menu.noRecent, enabled: false }];
  // A single & would mark an access key.
  return names.map((name) => ({
    label: name.replaceAll('&', '&&'),
    click: () => actions.openConnection(name),
  }));
}

function fileItems(state: ShellState, actions: MenuActions, isMac: boolean): Item[] {
  const lockItems = lockChoices.map((minutes): Item => ({
    label: text.menu.lockAfter(minutes),
    type: 'radio',
    checked: state.lockMinutes === minutes,
    click: () => actions.lockAfter(minutes),
  }));
  return [
    { id: 'openFiles', label: text.menu.open, accelerator: 'CmdOrCtrl+O', click: actions.openFiles },
    { id: 'recent', label: text.menu.recent, submenu: recentItems(state.connections, actions) },
    SEPARATOR,
    ...commandItems('file', actions.command),
    SEPARATOR,
    { id: 'lock', label: text.menu.lock, click: actions.lock },
    { id: 'lockIdle', label: text.menu.lockIdle, submenu: lockItems },
    ...(isMac ? [] : [SEPARATOR, ...roles('quit')]),
  ];
}

function zoomItems({ zoom }: MenuActions): Item[] {
  return [
    { id: 'actualSize', label: text.menu.actualSize, accelerator: 'CmdOrCtrl+0', click: () => zoom(0) },
    { id: 'zoomIn', label: text.menu.zoomIn, accelerator: 'CmdOrCtrl+Plus', click: () => zoom(1) },
    // The same key without Shift, where the plus is above the equals sign.
    {
      id: 'zoomInPlain',
      visible: false,
      label: text.menu.zoomIn,
      accelerator: 'CmdOrCtrl+=',
      click: () => zoom(1),
    },
    { id: 'zoomOut', label: text.menu.zoomOut, accelerator: 'CmdOrCtrl+-', click: () => zoom(-1) },
  ];
}

/**
 * Returns the native menu: the command table, the actions of the shell, and the standard roles. It omits the
 * roles `close` and `windowMenu`, which would bind Cmd/Ctrl+W to the window instead of a tab, and the zoom
 * roles, which do not report the level to be stored.
 */
export function menuTemplate(platform: NodeJS.Platform, state: ShellState, actions: MenuActions): Item[] {
  const isMac = platform === 'darwin';
  const appMenu: Item = {
    label: text.name,
    submenu: [
      ...roles('about'),
      SEPARATOR,
      ...roles('hide', 'hideOthers', 'unhide'),
      SEPARATOR,
      ...roles('quit'),
    ],
  };
  return [
    ...(isMac ? [appMenu] : []),
    { label: text.menu.file, submenu: fileItems(state, actions, isMac) },
    {
      label: text.menu.edit,
      submenu: [...roles('undo', 'redo'), SEPARATOR, ...roles('cut', 'copy', 'paste', 'selectAll')],
    },
    { label: text.menu.record, submenu: commandItems('record', actions.command) },
    { label: text.menu.data, submenu: commandItems('data', actions.command) },
    {
      label: text.menu.view,
      submenu: [
        ...commandItems('view', actions.command),
        SEPARATOR,
        ...zoomItems(actions),
        SEPARATOR,
        ...roles('togglefullscreen'),
      ],
    },
    { label: text.menu.go, submenu: commandItems('go', actions.command) },
    { label: text.menu.window, submenu: roles('minimize', ...(isMac ? (['zoom', 'front'] as const) : [])) },
    {
      label: text.menu.help,
      submenu: [
        ...commandItems('help', actions.command),
        { id: 'diagnostics', label: text.menu.diagnostics, click: actions.exportDiagnostics },
        { id: 'update', label: text.menu.update, click: actions.fetchUpdate },
        ...(isMac ? [] : [SEPARATOR, ...roles('about')]),
      ],
    },
  ];
}

/** Sets the menu of the application by the current state. */
export function setMenu(state: ShellState, actions: MenuActions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform, state, actions)));
}

/**
 * Returns a function that sends a command to the page of the window. It sends nothing while the window is
 * locked.
 */
export function commandSender(window: BrowserWindow, isLocked: () => boolean): MenuActions['command'] {
  return (id) => {
    if (!window.isDestroyed() && !isLocked()) window.webContents.send(channels.command, id);
  };
}
