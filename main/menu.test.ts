import { BrowserWindow, type MenuItemConstructorOptions } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { commands } from '../core/app/commands.ts';
import { channels } from '../core/app/shell.ts';
import { commandSender, menuTemplate, setMenu } from './menu.ts';
import { lockChoices, readShellState } from './shell-state.ts';
import * as fake from './testing/fake-electron.ts';

vi.mock('electron', () => import('./testing/fake-electron.ts'));

const PLATFORMS = ['linux', 'win32', 'darwin'] as const;

const actions = {
  command: vi.fn(),
  openFiles: vi.fn(),
  openConnection: vi.fn(),
  lock: vi.fn(),
  lockAfter: vi.fn(),
  zoom: vi.fn(),
  exportDiagnostics: vi.fn(),
  fetchUpdate: vi.fn(),
};

function submenu(item: MenuItemConstructorOptions): MenuItemConstructorOptions[] {
  return Array.isArray(item.submenu) ? item.submenu : [];
}

function isClick(value: unknown): value is () => void {
  return typeof value === 'function';
}

function click(item: MenuItemConstructorOptions | undefined): void {
  if (!isClick(item?.click)) throw new Error('The item cannot be chosen.');
  item.click();
}

describe.each(PLATFORMS)('the menu on %s', (platform) => {
  const menus = menuTemplate(platform, readShellState({}), actions);
  const items = menus.flatMap(submenu);

  beforeEach(() => void vi.clearAllMocks());

  it.each(commands)('contains $id with its label and keys in its menu, and sends its id', (command) => {
    const menu = menus.find(({ label }) => label?.toLowerCase() === command.menu);
    const item = menu && submenu(menu).find(({ id }) => id === command.id);
    expect(item).toMatchObject({ label: command.label });
    expect(item?.accelerator).toBe(command.keys?.replace('Mod', 'CmdOrCtrl'));
    click(item);
    expect(actions.command).toHaveBeenCalledExactlyOnceWith(command.id);
  });

  it('has each standard role once', () => {
    const roles = items.flatMap(({ role }) => role ?? []);
    const common = ['about', 'quit', 'undo', 'redo', 'cut', 'copy', 'paste', 'selectAll', 'minimize'];
    const view = ['togglefullscreen'];
    const mac = ['hide', 'hideOthers', 'unhide', 'zoom', 'front'];
    expect(roles.toSorted()).toEqual([...common, ...view, ...(platform === 'darwin' ? mac : [])].toSorted());
  });

  it('binds Cmd/Ctrl+W to closing a tab, never the window', () => {
    const boundItems = items.filter((item) => item.accelerator === 'CmdOrCtrl+W');
    expect(boundItems.map(({ id }) => id)).toEqual(['tab.close']);
    // `close` and these menus would bind Cmd/Ctrl+W to the window.
    const roles: unknown[] = [...menus, ...items].map(({ role }) => role);
    for (const role of ['close', 'windowMenu', 'fileMenu']) expect(roles).not.toContain(role);
  });

  it('binds no keys twice', () => {
    const keys = items.flatMap((item) => item.accelerator ?? []);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

it.each([
  ['openFiles', 'openFiles', []],
  ['lock', 'lock', []],
  ['diagnostics', 'exportDiagnostics', []],
  ['actualSize', 'zoom', [0]],
  ['zoomIn', 'zoom', [1]],
  ['zoomInPlain', 'zoom', [1]],
  ['zoomOut', 'zoom', [-1]],
] as const)('runs its action for the item %s', (id, action, args) => {
  vi.clearAllMocks();
  click(listItems({}).find((item) => item.id === id));
  expect(actions[action].mock.calls).toEqual([[...args]]);
});

/** Lists the items of all menus and of their submenus. */
function listItems(state: object): MenuItemConstructorOptions[] {
  const items = menuTemplate('linux', readShellState(state), actions).flatMap(submenu);
  return [...items, ...items.flatMap(submenu)];
}

it('lists recent connections by name, or reports an empty list', () => {
  expect(listItems({}).find(({ label }) => label === 'None')).toMatchObject({ enabled: false });
  click(listItems({ connections: ['Ward', 'Lab & Co'] }).find(({ label }) => label === 'Lab && Co'));
  expect(actions.openConnection).toHaveBeenCalledExactlyOnceWith('Lab & Co');
});

it('marks the idle minutes of the lock, and sets another number', () => {
  const items = listItems({ lockMinutes: 15 }).filter(({ type }) => type === 'radio');
  expect(items.map(({ label, checked }) => [label, checked])).toEqual(
    lockChoices.map((minutes) => [minutes === 0 ? 'Never' : `After ${minutes} minutes`, minutes === 15]),
  );
  click(items[4]);
  expect(actions.lockAfter).toHaveBeenCalledExactlyOnceWith(60);
});

it('becomes the menu of the application', () => {
  setMenu(readShellState({}), actions);
  const [menus] = fake.getLatest(fake.Menu.setApplicationMenu.mock.calls);
  expect(menus.map(({ label }) => label)).toContain('Record');
});

it('sends the selected command to the window, unless it is locked or destroyed', () => {
  let locked = false;
  const send = commandSender(new BrowserWindow(), () => locked);
  const window = fake.getLatest(fake.windows);
  send('tab.close');
  expect(window.webContents.send.mock.calls).toEqual([[channels.command, 'tab.close']]);
  locked = true;
  send('tab.close');
  locked = false;
  window.isDestroyed.mockReturnValue(true);
  send('tab.close');
  expect(window.webContents.send).toHaveBeenCalledOnce();
});
