import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as fake from './testing/fake-electron.ts';
import { readShellState, type ShellState } from './shell-state.ts';
import { setupWindow } from './window.ts';

vi.mock('electron', () => import('./testing/fake-electron.ts'));

const ORIGIN = 'http://127.0.0.1:40123';
const SERVER = { origin: () => ORIGIN, isRunning: () => true };

function open(state: Partial<ShellState> = {}): fake.BrowserWindow {
  setupWindow({
    server: SERVER,
    token: 'T',
    preload: '/app/preload.cjs',
    state: { ...readShellState({}), ...state },
  });
  return fake.getLatest(fake.windows);
}

beforeEach(() => {
  fake.app.isPackaged = true;
  fake.nativeTheme.shouldUseDarkColors = false;
});

describe('the window', () => {
  it('is hardened', () => {
    const { webPreferences } = open().options;
    expect(webPreferences).toEqual({
      session: fake.getLatest(fake.sessions),
      preload: '/app/preload.cjs',
      additionalArguments: ['--chartkeeper-version=1.2.3'],
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webviewTag: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: false,
    });
  });

  it('has developer tools only outside a package', () => {
    fake.app.isPackaged = false;
    expect(open().options.webPreferences?.devTools).toBe(true);
  });

  it('adds the Authorization header with the launch token to requests to its own server only', () => {
    open();
    const fakeSession = fake.getLatest(fake.sessions);
    expect(fakeSession.filterRequest(`${ORIGIN}/`)).toEqual({
      requestHeaders: { Authorization: 'Bearer T' },
    });
    expect(fakeSession.filterRequest('https://evil.example/')).toEqual({ requestHeaders: {} });
  });

  it('has its own session in memory with a cache, and the permissions', () => {
    open();
    // Electron keeps a session on the disk if its name starts with `persist:`, and its cache is on by default.
    expect(fake.session.fromPartition.mock.lastCall).toEqual(['chartkeeper']);
    const fakeSession = fake.getLatest(fake.sessions);
    expect(fakeSession.checkHandler?.(null, 'media', ORIGIN)).toBe(false);
  });

  it('is shown when its first page is ready, and only then', () => {
    const window = open();
    expect(window.options.show).toBe(false);
    expect(window.show).not.toHaveBeenCalled();
    window.emit('ready-to-show');
    window.emit('ready-to-show');
    expect(window.show).toHaveBeenCalledOnce();
  });

  it('opens at its previous position, or in its default size if no screen shows that position', () => {
    const bounds = { x: 100, y: 50, width: 900, height: 600 };
    expect(open({ bounds }).options).toMatchObject(bounds);
    const away = open({ bounds: { ...bounds, x: 5000 } }).options;
    expect(away).toMatchObject({ width: 1280, height: 800 });
    expect(away).not.toHaveProperty('x');
  });

  it('starts in the color of the theme', () => {
    expect(open().options.backgroundColor).toBe('#ffffff');
    fake.nativeTheme.shouldUseDarkColors = true;
    expect(open().options.backgroundColor).toBe('#242424');
  });
});
