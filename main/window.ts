import { app, BrowserWindow, nativeTheme, screen, session } from 'electron';
import { setupAuthorization, type ServerAddress } from './authorization.ts';
import { setupPermissions } from './navigation.ts';
import type { ShellState } from './shell-state.ts';
import { text } from './text.ts';
import { versionArgument } from './version-argument.ts';
import { LEAST_SIZE, placeOf } from './window-place.ts';

/** In memory: nothing that the page shows is left on the disk by the browser. */
const PARTITION = 'chartkeeper';

/** The page's own body colours, so that the window does not flash before it is drawn. */
const BACKGROUND = { light: '#ffffff', dark: '#242424' };

/** Creates the one window where it was, hidden until its first page is drawn, in a session of its own. */
export function setupWindow(options: {
  readonly server: ServerAddress;
  readonly token: string;
  readonly preload: string;
  readonly state: ShellState;
}): BrowserWindow {
  const ownSession = session.fromPartition(PARTITION, { cache: false });
  setupPermissions(ownSession, options.server.origin);
  setupAuthorization(ownSession, options.server, options.token);

  const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
  const window = new BrowserWindow({
    title: text.name,
    ...placeOf(options.state.bounds, areas),
    minWidth: LEAST_SIZE.width,
    minHeight: LEAST_SIZE.height,
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
