import { BrowserWindow, type MenuItemConstructorOptions } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { commands } from '../core/app/commands.ts';
import { channels } from '../core/app/shell.ts';
import { accelerator, menuTemplate, setupMenu } from './menu.ts';
import * as fake from './testing/fake-electron.ts';

vi.mock('electron', () => import('./testing/fake-electron.ts'));

const PLATFORMS = ['linux', 'win32', 'darwin'] as const;

function submenu(item: MenuItemConstructorOptions): MenuItemConstructorOptions[] {
  return Array.isArray(item.submenu) ? item.submenu : [];
}

function isClick(value: unknown): value is () => void {
  return typeof value === 'function';
}

function choose(item: MenuItemConstructorOptions | undefined): void {
  if (!isClick(item?.click)) throw new Error('The item cannot be chosen.');
  item.click();
}

describe.each(PLATFORMS)('the menu on %s', (platform) => {
  const send = vi.fn();
  const menus = menuTemplate(platform, send);
  const items = menus.flatMap(submenu);

  beforeEach(() => void send.mockClear());

  it.each(commands)('holds $id with its label and keys, in its menu, and sends its id', (command) => {
    const menu = menus.find(({ label }) => label?.toLowerCase() === command.menu);
    const found = menu && submenu(menu).find(({ id }) => id === command.id);
    expect(found).toMatchObject({ label: command.label });
    expect(found?.accelerator).toBe(command.keys?.replace('Mod', 'CmdOrCtrl'));
    choose(found);
    expect(send).toHaveBeenCalledExactlyOnceWith(command.id);
  });

  it('has each standard role once', () => {
    const roles = items.flatMap(({ role }) => role ?? []);
    const common = ['quit', 'undo', 'redo', 'cut', 'copy', 'paste', 'selectAll', 'minimize'];
    const view = ['resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen'];
    const mac = ['about', 'hide', 'hideOthers', 'unhide', 'zoom', 'front'];
    expect(roles.toSorted()).toEqual([...common, ...view, ...(platform === 'darwin' ? mac : [])].toSorted());
  });

  it('binds Cmd/Ctrl+W to closing a tab, never the window', () => {
    const bound = items.filter((item) => item.accelerator === 'CmdOrCtrl+W');
    expect(bound.map(({ id }) => id)).toEqual(['tab.close']);
    // `close` and these menus bring Cmd/Ctrl+W for the window with them.
    const roles: unknown[] = [...menus, ...items].map(({ role }) => role);
    for (const role of ['close', 'windowMenu', 'fileMenu']) expect(roles).not.toContain(role);
  });

  it('binds no keys twice', () => {
    const keys = items.flatMap((item) => item.accelerator ?? []);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

it('writes Mod as Electron does', () => {
  expect(accelerator('Mod+Shift+F')).toBe('CmdOrCtrl+Shift+F');
  expect(accelerator('Alt+M')).toBe('Alt+M');
});

it('sends the chosen command to the window, unless it is gone', () => {
  setupMenu(new BrowserWindow());
  const window = fake.newest(fake.windows);
  const [menus] = fake.newest(fake.Menu.setApplicationMenu.mock.calls);
  const close = menus.flatMap(submenu).find(({ id }) => id === 'tab.close');
  choose(close);
  expect(window.webContents.send.mock.calls).toEqual([[channels.command, 'tab.close']]);

  window.isDestroyed.mockReturnValue(true);
  choose(close);
  expect(window.webContents.send).toHaveBeenCalledOnce();
});
