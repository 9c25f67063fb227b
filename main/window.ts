import { app, BrowserWindow, nativeTheme, screen, session } from 'electron';
import { setupAuthorization, type ServerAddress } from './authorization.ts';
import { setupPermissions } from './navigation.ts';
import type { ShellState } from './shell-state.ts';
import { text } from './text.ts';
import { versionArgument } from './version-argument.ts';
import { MIN_SIZE, getVisibleBounds } from './window-bounds.ts';

/**
 * Without the prefix `persist:`, in memory: the browser writes no content of the page to the disk. Its cache is in
 * memory too. A reload finds the assets there, and responses with records have `no-store`.
 */
const PARTITION = 'chartkeeper';

/** Background colors of the page, so that the window does not flash before it is rendered. */
const BACKGROUND = { light: '#ffffff', dark: '#242424' };

/**
 * Creates the only window at its previous position, hidden until its first page is rendered, in its own
 * session.
 */
export function setupWindow(options: {
  readonly server: ServerAddress;
  readonly token: string;
  readonly preload: string;
  readonly state: ShellState;
}): BrowserWindow {
  const ownSession = session.fromPartition(PARTITION);
  setupPermissions(ownSession, options.server.origin);
  setupAuthorization(ownSession, options.server, options.token);

  const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
  const window = new BrowserWindow({
    title: text.name,
    ...getVisibleBounds(options.state.bounds, areas),
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: {
      session: ownSession,
      preload: options.preload,
      additionalArguments: [versionArgument(app.getVersion())],
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
      devTools: !app.isPackaged,
    },
  });
  window.once('ready-to-show', () => window.show());
  return window;
}
