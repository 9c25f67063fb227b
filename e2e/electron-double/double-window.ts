import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Frame, Page, Request, Route } from '@playwright/test';
import type { DoubleSession } from './double-session.ts';
import { preloadScript, receiverName, senderName } from './preload-script.ts';

interface WindowOptions {
  readonly width?: number;
  readonly height?: number;
  readonly webPreferences: {
    readonly session: DoubleSession;
    readonly preload: string;
    readonly additionalArguments: string[];
  };
}

type OpenHandler = (details: { url: string }) => { action: 'deny' | 'allow' };

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? 'null';
}

/** Returns the requesting frame, or undefined for a window that is being opened. */
function frameOf(request: Request): Frame | undefined {
  try {
    return request.frame();
  } catch {
    return undefined;
  }
}

/** The contents of a window: messages, navigation and zoom of one Chromium page. */
class DoubleContents extends EventEmitter {
  readonly page: Promise<Page>;
  #openHandler: OpenHandler | undefined;
  #url = 'about:blank';
  #zoomLevel = 0;
  readonly mainFrame: { readonly origin: string };

  constructor(page: Promise<Page>) {
    super();
    this.page = page;
    const url = () => this.#url;
    this.mainFrame = {
      get origin() {
        return originOf(url());
      },
    };
  }

  /** Connects the events to the page when it exists. */
  async attach(page: Page): Promise<void> {
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.#url = frame.url();
    });
    page.on('load', () => this.emit('did-finish-load'));
    page.on('crash', () => this.emit('render-process-gone', {}, { reason: 'crashed' }));
    // Electron asks before a window exists. Here the request was already checked, and the empty window is
    // closed.
    page.on('popup', (popup) => void popup.close());
    await page.exposeBinding(senderName, ({ frame }, channel: string, args: unknown[]) => {
      const sender = frame === page.mainFrame() ? this.mainFrame : { origin: originOf(frame.url()) };
      this.emit('ipc-message', { senderFrame: sender }, channel, ...args);
    });
  }

  send(channel: string, ...args: unknown[]): void {
    const deliver = ([name, property, values]: [string, string, unknown[]]) => {
      const receive: unknown = Reflect.get(window, name);
      if (typeof receive === 'function') receive(property, values);
    };
    // As in Electron, a message without a listening page is lost.
    this.page
      .then((page) =>
        page.evaluate(deliver, [receiverName, channel, args] satisfies [string, string, unknown[]]),
      )
      .catch(() => undefined);
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler;
  }

  reload(): void {
    this.page.then((page) => page.reload()).catch(() => undefined);
  }

  getZoomLevel(): number {
    return this.#zoomLevel;
  }

  setZoomLevel(level: number): void {
    this.#zoomLevel = level;
  }

  /** Returns true if the page may open a window for an address. */
  mayOpen(url: string): boolean {
    return this.#openHandler?.({ url }).action === 'allow';
  }

  /** Returns true if the page may perform its navigation. */
  allows(event: 'will-navigate' | 'will-frame-navigate', url: string): boolean {
    let allowed = true;
    this.emit(event, { url, preventDefault: () => (allowed = false) });
    return allowed;
  }
}

/** A window: a Chromium page in its own browser context, with the preload bundle. */
export class DoubleWindow extends EventEmitter {
  readonly webContents: DoubleContents;
  readonly session: DoubleSession;
  readonly #context: Promise<BrowserContext>;
  readonly #page: Promise<Page>;
  readonly #size: { readonly width: number; readonly height: number };
  #loading: string | undefined;
  #visible = false;
  #drawn = false;

  constructor(browser: Browser, { width = 1280, height = 800, webPreferences }: WindowOptions) {
    super();
    this.#size = { width, height };
    this.session = webPreferences.session;
    this.#context = browser.newContext({ viewport: this.#size });
    this.#page = this.#context.then((context) => context.newPage());
    this.webContents = new DoubleContents(this.#prepare(webPreferences));
  }

  async #prepare({ session, preload, additionalArguments }: WindowOptions['webPreferences']): Promise<Page> {
    const context = await this.#context;
    const page = await this.#page;
    await this.webContents.attach(page);
    const bundle = readFileSync(preload, 'utf8');
    await context.addInitScript({ content: preloadScript(bundle, additionalArguments) });
    await session.attach(context, (route) => this.#mayGo(route, page));
    return page;
  }

  /** Checks navigations of the page itself, but not pages that the shell loads. */
  #mayGo(route: Route, page: Page): boolean {
    const request = route.request();
    const url = request.url();
    if (!request.isNavigationRequest() || url === this.#loading) return true;
    const frame = frameOf(request);
    if (frame?.page() !== page) return this.webContents.mayOpen(url);
    return this.webContents.allows(frame === page.mainFrame() ? 'will-navigate' : 'will-frame-navigate', url);
  }

  /** Returns the page that a test controls. */
  get page(): Promise<Page> {
    return this.webContents.page;
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.page;
    this.#loading = url;
    await page.goto(url);
    if (this.#drawn) return;
    this.#drawn = true;
    this.emit('ready-to-show');
  }

  show(): void {
    this.#visible = true;
  }

  hide(): void {
    this.#visible = false;
  }

  isVisible(): boolean {
    return this.#visible;
  }

  focus(): void {
    void this.page.then((page) => page.bringToFront());
  }

  restore(): void {
    this.#visible = true;
  }

  maximize(): void {
    this.#visible = true;
  }

  isMinimized(): boolean {
    return false;
  }

  isMaximized(): boolean {
    return false;
  }

  isDestroyed(): boolean {
    return false;
  }

  getBounds(): { x: number; y: number; width: number; height: number } {
    return { x: 0, y: 0, ...this.#size };
  }

  async close(): Promise<void> {
    await (await this.#context).close();
  }
}
