/*
 * A test double of Electron's main-process API, as far as main/ uses it. Windows are real Chromium pages in a
 * browser that Playwright controls, the utility process is a real Node process, and the built preload bundle
 * runs in the page. It differs from Electron: preload and page share one JavaScript world, it has no sandbox,
 * menus and dialogs are lists, and the keychain is a toy. It proves that the built main, preload, server and
 * page work together. The project `electron` tests the promises of Electron itself, if its binary is
 * installed.
 */
import { EventEmitter } from 'node:events';
import type { Browser } from '@playwright/test';
import type { MenuItemConstructorOptions } from 'electron';
import { DoubleChild, StillChild } from './double-child.ts';
import { DoubleSession } from './double-session.ts';
import { DoubleWindow } from './double-window.ts';

export interface LaunchOptions {
  readonly browser: Browser;
  readonly userData: string;
  /** True if `safeStorage` has a real keychain. */
  readonly keychain: boolean;
}

class DoubleApp extends EventEmitter {
  readonly isPackaged = true;
  sandboxed = false;
  readonly #paths: Record<string, string>;
  readonly #exited = Promise.withResolvers<number>();
  /** Resolves with the code of `app.exit`. */
  readonly exited = this.#exited.promise;

  constructor(userData: string) {
    super();
    this.#paths = { userData, logs: `${userData}/logs` };
  }

  enableSandbox(): void {
    this.sandboxed = true;
  }

  requestSingleInstanceLock(): boolean {
    return true;
  }

  whenReady(): Promise<void> {
    return Promise.resolve();
  }

  quit(): void {
    this.emit('before-quit', { preventDefault: () => undefined });
  }

  exit(code: number): void {
    this.#exited.resolve(code);
  }

  getVersion(): string {
    return '0.0.0-double';
  }

  getPath(name: string): string {
    return this.#paths[name] ?? '';
  }

  setPath(name: string, path: string): void {
    this.#paths[name] = path;
  }

  setAppLogsPath(path: string): void {
    this.setPath('logs', path);
  }

  setAsDefaultProtocolClient(): boolean {
    return true;
  }
}

interface MessageBox {
  readonly message: string;
  readonly detail?: string;
  readonly buttons: readonly string[];
}

/** Prepared answers of a test, and the shown prompts. */
class DoubleDialog {
  readonly prompts: MessageBox[] = [];
  /** The label of the button to press. Undefined presses the first one. */
  button: string | undefined;
  openPaths: string[] = [];
  savePath = '';

  showErrorBox(title: string, content: string): void {
    this.prompts.push({ message: title, detail: content, buttons: [] });
  }

  showMessageBox(_window: DoubleWindow, box: MessageBox): Promise<{ response: number }> {
    this.prompts.push(box);
    const response = this.button === undefined ? 0 : box.buttons.indexOf(this.button);
    return Promise.resolve({ response });
  }

  showOpenDialog(): Promise<{ canceled: boolean; filePaths: string[] }> {
    return Promise.resolve({ canceled: this.openPaths.length === 0, filePaths: this.openPaths });
  }

  showSaveDialog(): Promise<{ canceled: boolean; filePath: string }> {
    return Promise.resolve({ canceled: this.savePath === '', filePath: this.savePath });
  }
}

function flat(items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])]);
}

/**
 * Creates the module that `import ... from 'electron'` provides to one launch of main, and its test controls.
 */
export function createDouble({ browser, userData, keychain }: LaunchOptions) {
  const app = new DoubleApp(userData);
  const dialog = new DoubleDialog();
  const windows: DoubleWindow[] = [];
  const children: DoubleChild[] = [];
  const openedOutside: string[] = [];
  let menu: readonly MenuItemConstructorOptions[] = [];
  let isOver = false;

  class BrowserWindow extends DoubleWindow {
    constructor(options: ConstructorParameters<typeof DoubleWindow>[1]) {
      super(browser, options);
      windows.push(this);
      app.emit('web-contents-created', {}, this.webContents);
    }
  }
  // Only unreadable at a glance. A real keychain is part of Electron.
  const reverseBytes = (bytes: Buffer) => Buffer.from(bytes).reverse();
  const electron = {
    app,
    dialog,
    BrowserWindow,
    Menu: {
      buildFromTemplate: (template: MenuItemConstructorOptions[]) => template,
      setApplicationMenu: (template: MenuItemConstructorOptions[]) => void (menu = template),
    },
    nativeTheme: { shouldUseDarkColors: false },
    powerMonitor: Object.assign(new EventEmitter(), { getSystemIdleTime: () => 0 }),
    safeStorage: {
      getSelectedStorageBackend: () => (keychain ? 'gnome_libsecret' : 'basic_text'),
      isAsyncEncryptionAvailable: () => Promise.resolve(true),
      encryptStringAsync: (text: string) => Promise.resolve(reverseBytes(Buffer.from(text))),
      decryptStringAsync: (bytes: Buffer) =>
        Promise.resolve({ shouldReEncrypt: false, result: reverseBytes(bytes).toString() }),
    },
    screen: { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] },
    session: {
      fromPartition() {
        const created = new DoubleSession();
        app.emit('session-created', created);
        return created;
      },
    },
    shell: {
      openExternal(address: string) {
        openedOutside.push(address);
        return Promise.resolve();
      },
    },
    utilityProcess: {
      fork(file: string) {
        if (isOver) return new StillChild();
        const child = new DoubleChild(file);
        children.push(child);
        return child;
      },
    },
  };
  return {
    electron,
    app,
    dialog,
    windows,
    children,
    openedOutside,
    /** Ends everything at once. Main continues in this process, but can start nothing. */
    async end(): Promise<void> {
      isOver = true;
      for (const window of windows) await window.close();
      for (const child of children) await child.end();
    },
    /** Selects an item of the native menu by its id or label. */
    choose(name: string): void {
      const item = flat(menu).find(({ id, label }) => id === name || label === name);
      if (!item?.click) throw new Error(`The menu has no item ${name}.`);
      (item.click as () => void)();
    },
  };
}

export type Double = ReturnType<typeof createDouble>;
