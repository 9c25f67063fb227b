import { dialog, type BrowserWindow } from 'electron';
import { channels } from '../core/app/shell.ts';
import type { Clock } from './clock.ts';
import { exportDiagnostics, gather } from './diagnostics.ts';
import { showFailure } from './failure-page.ts';
import { setupIpc } from './ipc.ts';
import { createLock, setupIdleLock, type Lock } from './lock.ts';
import type { Log } from './log.ts';
import { commandSender, setMenu, type MenuActions } from './menu.ts';
import { setupNavigation } from './navigation.ts';
import { pickFiles, open, type Opening } from './opening.ts';
import { createPendingOpens, type PendingOpens } from './pending-opens.ts';
import { createPageLoader, setupPageRecovery } from './page-loader.ts';
import type { ShellPaths } from './paths.ts';
import { setupQuit } from './quit.ts';
import type { SecretVault } from './secret-vault.ts';
import { setupServer } from './server-child.ts';
import { withConnection, type StateStore } from './shell-state.ts';
import { createSelfCheck } from './self-check.ts';
import { setupSecondInstance } from './single-instance.ts';
import { text } from './text.ts';
import { showUpdate } from './update-check.ts';
import { setupWindow } from './window.ts';
import { changeZoom, setupWindowBounds } from './window-bounds.ts';
import type { StartWay } from './server-process.ts';

export interface ShellParts {
  readonly paths: ShellPaths;
  readonly log: Log;
  readonly vault: SecretVault;
  readonly store: StateStore;
  readonly opening: Opening;
  readonly token: string;
  readonly clock: Clock;
  readonly selfCheck: string | undefined;
}

/**
 * Connects the parts of the shell, one concern per line, and starts the server. Must be called once, when
 * Electron is ready.
 */
export function setupShell(parts: ShellParts): void {
  const { paths, log, store, opening, token, clock } = parts;
  let unsavedTabs = 0;

  const server = setupServer({
    ...parts,
    onReady: (origin) => void loadPage(origin),
    onFailed: (message) => fail(message),
    onMissing: (message, backups) => {
      fail(message);
      void promptStartChoice(window, message, backups).then(
        (startOptions) => startOptions && server.start(startOptions),
      );
    },
  });
  setupNavigation(server.origin, log);
  const window = setupWindow({ server, token, preload: paths.preload, state: store.get() });
  const send = (channel: string, value: unknown) => {
    if (!window.isDestroyed()) window.webContents.send(channel, value);
  };
  const check =
    parts.selfCheck === undefined
      ? undefined
      : createSelfCheck({
          clock,
          folder: parts.selfCheck,
          program: process.execPath,
          checkStore: server.check,
          stopServer: server.stop,
        });
  const fail = (message: string) => {
    check?.fail(message);
    showFailure(window, { message, ...paths }, unsavedTabs);
  };
  const loadPage = createPageLoader(window, () => fail(text.pageNotLoaded));

  const lock = createLock((locked) => {
    log(locked ? 'locked' : 'unlocked');
    if (locked) server.signOut();
    send(channels.lock, locked);
    outbox.flush();
  });
  const outbox = createPendingOpens((request) => send(channels.open, request), lock.isLocked);

  setupWindowBounds(window, store, clock);
  setupPageRecovery(window, {
    clock,
    log,
    onGone: outbox.onPageLeft,
    onGivenUp: () => fail(text.pageNotLoaded),
  });
  setupIdleLock(lock, () => store.get().lockMinutes, clock);
  setupSecondInstance(window);
  const refreshMenu = setupMenu(window, { ...parts, lock, outbox });
  setupIpc(window, {
    origin: server.origin,
    log,
    onReady: (page) => {
      send(channels.lock, lock.isLocked());
      outbox.onPageListening();
      check?.page(page);
    },
    onUnlock: lock.unlock,
    onUnsavedTabs: (count) => (unsavedTabs = count),
    onConnection: (name) => {
      store.change({ connections: withConnection(store.get().connections, name) });
      refreshMenu();
    },
  });
  // An interrupted self-check is a failed one.
  setupQuit(window, { unsavedTabs: () => unsavedTabs, stopServer: server.stop, code: check ? 1 : 0 });
  opening.begin((targets) => void open(targets, window, outbox.addRequest));
  server.start();
}

/** Sets the menu and returns a function that updates it after a change. */
function setupMenu(
  window: BrowserWindow,
  { store, lock, outbox, paths, vault }: ShellParts & { readonly lock: Lock; readonly outbox: PendingOpens },
): () => void {
  const collectFacts = () => gather({ ...paths, state: store.get(), secrets: vault.backend });
  const actions: MenuActions = {
    command: commandSender(window, lock.isLocked),
    openFiles: () => {
      void pickFiles(window).then((files) => open({ paths: files, links: [] }, window, outbox.addRequest));
    },
    openConnection: (name) => outbox.addRequest({ kind: 'connection', name }),
    lock: lock.lock,
    lockAfter: (lockMinutes) => store.change({ lockMinutes }),
    zoom: (delta) => changeZoom(window, store, (level) => (delta === 0 ? 0 : level + delta)),
    exportDiagnostics: () => void exportDiagnostics(window, collectFacts),
    fetchUpdate: () => void showUpdate(window, paths.updates),
  };
  const refresh = () => setMenu(store.get(), actions);
  refresh();
  return refresh;
}

/**
 * Asks how to start if the records are missing: from a backup, empty, or in another folder. Returns undefined
 * if the user chose none of these.
 */
async function promptStartChoice(
  window: BrowserWindow,
  message: string,
  backups: readonly string[],
): Promise<StartWay | undefined> {
  const options: readonly (readonly [label: string, way?: StartWay | 'ask'])[] = [
    ...backups.map((name) => [text.restoreBackup(name), { choice: { kind: 'restore', name } }] as const),
    [text.beginEmpty, { choice: { kind: 'empty' } }],
    [text.otherFolder, 'ask'],
    [text.close],
  ];
  const closeIndex = options.length - 1;
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: text.missingTitle,
    message,
    detail: text.missingDetail,
    buttons: options.map(([label]) => label),
    // Return and Escape change nothing.
    defaultId: closeIndex,
    cancelId: closeIndex,
  });
  const selected = options[response]?.[1];
  return selected === 'ask' ? promptFolder(window, message, backups) : selected;
}

/** Asks for the folder. Repeats the first prompt if the user cancels. */
async function promptFolder(
  ...promptArguments: Parameters<typeof promptStartChoice>
): Promise<StartWay | undefined> {
  const { canceled, filePaths } = await dialog.showOpenDialog(promptArguments[0], {
    title: text.chooseFolder,
    properties: ['openDirectory'],
  });
  const [dataDir] = filePaths;
  return canceled || dataDir === undefined ? promptStartChoice(...promptArguments) : { dataDir };
}
