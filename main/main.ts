/*
 * The Electron shell: it starts the server process, shows its page and hardens both. Only Electron calls it; it
 * imports core/ and knows the server by file path. What it keeps: the page never holds the token, and only the
 * main frame at the server's own origin can navigate, be answered over IPC or have its requests authorized.
 */
import { app, dialog } from 'electron';
import { createToken } from './authorization.ts';
import { showFailure } from './failure-page.ts';
import { setupSandbox, setupSpellChecker } from './hardening.ts';
import { setupIpc } from './ipc.ts';
import { createLog } from './log.ts';
import { setupMenu } from './menu.ts';
import { setupNavigation } from './navigation.ts';
import { createPageLoader } from './page-loader.ts';
import { shellPaths } from './paths.ts';
import { setupQuit } from './quit.ts';
import { setupServer } from './server-child.ts';
import { setupSecondInstance, setupSingleInstance } from './single-instance.ts';
import { text } from './text.ts';
import { setupWindow } from './window.ts';

function setupShell(): void {
  const paths = shellPaths(import.meta.dirname, app.getPath('userData'), app.getPath('logs'));
  const log = createLog(paths.log);
  const token = createToken();
  let unsavedTabs = 0;

  const server = setupServer({
    paths,
    token,
    log,
    onReady: (origin) => void loadPage(origin),
    onFailed: (message) => fail(message),
  });
  setupNavigation(server.origin, log);
  const window = setupWindow({ server, token, preload: paths.preload });
  const fail = (message: string) => showFailure(window, { message, ...paths }, unsavedTabs);
  const loadPage = createPageLoader(window, () => fail(text.pageNotLoaded));

  setupSecondInstance(window);
  setupIpc(window, { origin: server.origin, log, onUnsavedTabs: (count) => (unsavedTabs = count) });
  setupMenu(window);
  setupQuit(window, { unsavedTabs: () => unsavedTabs, stopServer: server.stop });
  server.start();
}

function reportFault(fault: unknown): void {
  dialog.showErrorBox(text.notStarted, fault instanceof Error ? fault.message : String(fault));
  app.exit(1);
}

if (setupSingleInstance()) {
  setupSandbox();
  setupSpellChecker();
  // Not a top-level await: with an ESM entry, Electron becomes ready only after this module is evaluated
  // (electron/electron#40719), so awaiting here would hang for ever.
  app.whenReady().then(setupShell).catch(reportFault);
}
