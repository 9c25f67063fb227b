/*
 * A test double of Electron's main-process API, as far as main/ uses it. Windows are real Chromium pages in a browser
 * that Playwright drives, the utility process is a real Node process, and the built preload bundle runs in the page.
 * What it is not: Electron. Preload and page share one JavaScript world, nothing is sandboxed by it, menus and dialogs
 * are lists, the keychain is a toy. It shows that the built main, preload, server and page work together; that
 * Electron itself keeps its promises is for the project `electron`, where there is a binary.
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
  /** Whether there is a real keychain behind `safeStorage`. */
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

/** Answers that a test gives beforehand, and what was asked. */
class DoubleDialog {
  readonly asked: MessageBox[] = [];
  /** The button to press, by its words; the first one where nothing was said. */
  button: string | undefined;
  openPaths: string[] = [];
  savePath = '';

  showErrorBox(title: string, content: string): void {
    this.asked.push({ message: title, detail: content, buttons: [] });
  }

  showMessageBox(_window: DoubleWindow, box: MessageBox): Promise<{ response: number }> {
    this.asked.push(box);
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

/** Makes what `import ... from 'electron'` gives to one launch of main, and what a test drives it by. */
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
  // Not readable at a glance; a real keychain is Electron's to bring.
  const scrambled = (bytes: Buffer) => Buffer.from(bytes).reverse();
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
      encryptStringAsync: (text: string) => Promise.resolve(scrambled(Buffer.from(text))),
      decryptStringAsync: (bytes: Buffer) =>
        Promise.resolve({ shouldReEncrypt: false, result: scrambled(bytes).toString() }),
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
    /** Ends everything at once; main goes on in this process and finds nothing that it could start. */
    async end(): Promise<void> {
      isOver = true;
      for (const window of windows) await window.close();
      for (const child of children) await child.end();
    },
    /** Chooses an item of the native menu by its id or its words. */
    choose(name: string): void {
      const item = flat(menu).find(({ id, label }) => id === name || label === name);
      if (!item?.click) throw new Error(`The menu has no item ${name}.`);
      (item.click as () => void)();
    },
  };
}

export type Double = ReturnType<typeof createDouble>;
