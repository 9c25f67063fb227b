import { Menu, type BrowserWindow, type MenuItemConstructorOptions } from 'electron';
import { commands, type Command, type CommandId } from '../core/app/commands.ts';
import { channels } from '../core/app/shell.ts';
import { text } from './text.ts';

type Item = MenuItemConstructorOptions;
type Role = NonNullable<Item['role']>;
type Send = (id: CommandId) => void;

const SEPARATOR: Item = { type: 'separator' };
const roles = (...names: Role[]): Item[] => names.map((role) => ({ role }));

/** Returns Electron's accelerator for keys of the command table, where `Mod` is Cmd on macOS and Ctrl elsewhere. */
export function accelerator(keys: string): string {
  return keys.replace(/\bMod\b/, 'CmdOrCtrl');
}

function commandItems(menu: Command['menu'], send: Send): Item[] {
  return commands
    .filter((command) => command.menu === menu)
    .map(({ id, label, keys }) => ({
      id,
      label,
      click: () => send(id),
      ...(keys === undefined ? {} : { accelerator: accelerator(keys) }),
    }));
}

/**
 * Returns the native menu: the command table and the standard roles. The roles `close` and `windowMenu` are not
 * among them: both would bind Cmd/Ctrl+W to the window, and it closes a tab.
 */
export function menuTemplate(platform: NodeJS.Platform, send: Send): Item[] {
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
    {
      label: text.menu.file,
      submenu: [...commandItems('file', send), ...(isMac ? [] : [SEPARATOR, ...roles('quit')])],
    },
    {
      label: text.menu.edit,
      submenu: [...roles('undo', 'redo'), SEPARATOR, ...roles('cut', 'copy', 'paste', 'selectAll')],
    },
    { label: text.menu.record, submenu: commandItems('record', send) },
    {
      label: text.menu.view,
      submenu: [
        ...commandItems('view', send),
        SEPARATOR,
        ...roles('resetZoom', 'zoomIn', 'zoomOut'),
        SEPARATOR,
        ...roles('togglefullscreen'),
      ],
    },
    { label: text.menu.go, submenu: commandItems('go', send) },
    { label: text.menu.window, submenu: roles('minimize', ...(isMac ? (['zoom', 'front'] as const) : [])) },
    { label: text.menu.help, submenu: commandItems('help', send) },
  ];
}

/** Sets the application's menu; choosing a command sends its id to the window's page. */
export function setupMenu(window: BrowserWindow): void {
  const send: Send = (id) => {
    if (!window.isDestroyed()) window.webContents.send(channels.command, id);
  };
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform, send)));
}
