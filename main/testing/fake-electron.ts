/*
 * The only replacement of the `electron` module: tests load it with `vi.mock('electron', ...)` and control it
 * through the lists of created objects. Used by tests only. Invariant: it decides nothing. It records calls,
 * and emits events on request.
 */
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { BrowserWindowConstructorOptions, MenuItemConstructorOptions } from 'electron';
import { vi } from 'vitest';
import type { ServerOrder } from '../../core/app/server-messages.ts';

type Headers = Record<string, string>;
type HeaderListener = (
  details: { url: string; requestHeaders: Headers },
  callback: (response: { cancel?: boolean; requestHeaders?: Headers }) => void,
) => void;
type RequestHandler = (
  contents: unknown,
  permission: string,
  callback: (granted: boolean) => void,
  details: { requestingUrl: string },
) => void;
type CheckHandler = (contents: unknown, permission: string, requestingOrigin: string) => boolean;
type OpenHandler = (details: { url: string }) => { action: string };
export interface FakeFrame {
  origin: string;
}

export const windows: BrowserWindow[] = [];
export const sessions: FakeSession[] = [];
export const children: FakeUtilityProcess[] = [];
export const paths: Record<string, string> = { userData: '/user-data', logs: '/logs' };

export class FakeSession {
  headerListener: HeaderListener | undefined;
  requestHandler: RequestHandler | undefined;
  checkHandler: CheckHandler | undefined;
  deviceHandler: (() => boolean) | undefined;
  readonly setSpellCheckerEnabled = vi.fn<(enabled: boolean) => void>();
  readonly webRequest = {
    onBeforeSendHeaders: (listener: HeaderListener) => {
      this.headerListener = listener;
    },
  };

  setPermissionRequestHandler(handler: RequestHandler): void {
    this.requestHandler = handler;
  }

  setPermissionCheckHandler(handler: CheckHandler): void {
    this.checkHandler = handler;
  }

  setDevicePermissionHandler(handler: () => boolean): void {
    this.deviceHandler = handler;
  }

  /** Returns the result of the header listener for a request to `url`. */
  filterRequest(url: string, requestHeaders: Headers = {}): { cancel?: boolean; requestHeaders?: Headers } {
    let result: { cancel?: boolean; requestHeaders?: Headers } = {};
    this.headerListener?.({ url, requestHeaders }, (response) => (result = response));
    return result;
  }
}

export class FakeWebContents extends EventEmitter {
  mainFrame: FakeFrame = { origin: 'null' };
  openHandler: OpenHandler | undefined;
  readonly send = vi.fn<(channel: string, ...args: unknown[]) => void>();
  readonly reload = vi.fn();
  zoomLevel = 0;

  setZoomLevel(level: number): void {
    this.zoomLevel = level;
  }

  getZoomLevel(): number {
    return this.zoomLevel;
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler;
  }

  /** Emits a navigation event. Returns true if it was prevented. */
  isBlocked(event: string, url = ''): boolean {
    const preventDefault = vi.fn();
    this.emit(event, { url, preventDefault });
    return preventDefault.mock.calls.length > 0;
  }
}

export class BrowserWindow extends EventEmitter {
  readonly options: BrowserWindowConstructorOptions;
  readonly webContents = new FakeWebContents();
  readonly loadURL = vi.fn<(url: string) => Promise<void>>(() => Promise.resolve());
  readonly show = vi.fn();
  readonly hide = vi.fn();
  readonly focus = vi.fn();
  readonly restore = vi.fn();
  readonly maximize = vi.fn();
  readonly isMaximized = vi.fn(() => false);
  readonly isVisible = vi.fn(() => true);
  readonly getBounds = vi.fn(() => ({ x: 10, y: 20, width: 1000, height: 700 }));
  readonly isMinimized = vi.fn(() => false);
  readonly isDestroyed = vi.fn(() => false);

  constructor(options: BrowserWindowConstructorOptions = {}) {
    super();
    this.options = options;
    windows.push(this);
    app.emit('web-contents-created', {}, this.webContents);
  }
}

export class FakeUtilityProcess extends EventEmitter {
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly postMessage = vi.fn<(order: ServerOrder) => void>();
  readonly kill = vi.fn(() => true);
}

class FakeApp extends EventEmitter {
  isPackaged = true;
  readonly enableSandbox = vi.fn();
  readonly requestSingleInstanceLock = vi.fn(() => true);
  readonly whenReady = vi.fn(() => Promise.resolve());
  readonly quit = vi.fn();
  readonly setAsDefaultProtocolClient = vi.fn((_scheme: string) => true);
  readonly exit = vi.fn<(code: number) => void>();
  readonly getVersion = vi.fn(() => '1.2.3');
  readonly getPath = vi.fn((name: string) => paths[name] ?? '');
  readonly setPath = vi.fn((name: string, path: string) => void (paths[name] = path));
  readonly setAppLogsPath = vi.fn((path: string) => void (paths.logs = path));
}

export const app = new FakeApp();
export const nativeTheme = { shouldUseDarkColors: false };
export const shell = { openExternal: vi.fn<(url: string) => Promise<void>>(() => Promise.resolve()) };
export const screen = {
  getAllDisplays: vi.fn(() => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }]),
};
export const powerMonitor = Object.assign(new EventEmitter(), { getSystemIdleTime: vi.fn(() => 0) });
/** A keychain that encrypts by reversing the text. */
export const safeStorage = {
  getSelectedStorageBackend: vi.fn(() => 'gnome_libsecret'),
  isAsyncEncryptionAvailable: vi.fn(() => Promise.resolve(true)),
  encryptStringAsync: vi.fn((text: string) => Promise.resolve(Buffer.from(text).reverse())),
  decryptStringAsync: vi.fn((bytes: Buffer) =>
    Promise.resolve({ shouldReEncrypt: false, result: Buffer.from(bytes).reverse().toString() }),
  ),
};
export const crashReporter = { start: vi.fn() };
export const contextBridge = { exposeInMainWorld: vi.fn<(name: string, api: unknown) => void>() };
export const ipcRenderer = Object.assign(new EventEmitter(), {
  send: vi.fn<(channel: string, ...args: unknown[]) => void>(),
});
export const dialog = {
  showErrorBox: vi.fn<(title: string, content: string) => void>(),
  showMessageBox: vi.fn<
    (window: unknown, options: { message: string; detail: string }) => Promise<{ response: number }>
  >(() => Promise.resolve({ response: 0 })),
  showOpenDialog: vi.fn((_window: unknown, _options: object) =>
    Promise.resolve({ canceled: false, filePaths: [] as string[] }),
  ),
  showSaveDialog: vi.fn((_window: unknown, _options: { defaultPath: string }) =>
    Promise.resolve({ canceled: false, filePath: '' }),
  ),
};
export const Menu = {
  buildFromTemplate: vi.fn((template: MenuItemConstructorOptions[]) => template),
  setApplicationMenu: vi.fn<(template: MenuItemConstructorOptions[]) => void>(),
};
export const session = {
  defaultSession: { resolveProxy: vi.fn((_url: string) => Promise.resolve('DIRECT')) },
  fromPartition: vi.fn((_partition: string, _options?: { readonly cache: boolean }) => {
    const created = new FakeSession();
    sessions.push(created);
    app.emit('session-created', created);
    return created;
  }),
};
export const utilityProcess = {
  fork: vi.fn((_file: string, _args: string[], _options: Record<string, unknown>) => {
    const child = new FakeUtilityProcess();
    children.push(child);
    return child;
  }),
};

/**
 * Returns the latest entry of a list.
 *
 * @throws Error if the list is empty.
 */
export function getLatest<T>(list: readonly T[]): T {
  const latest = list.at(-1);
  if (latest === undefined) throw new Error('Nothing was created.');
  return latest;
}
