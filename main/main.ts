/*
 * The Electron shell: starts the server process, shows its page and hardens both. Only Electron calls it. It
 * imports core/ and finds the server by file path. Invariants: the page never gets the token. Only the main
 * frame at the server's origin can navigate, use IPC or have its requests authorized.
 */
import { app, dialog } from 'electron';
import { createToken } from './authorization.ts';
import { systemClock } from './clock.ts';
import { createLog } from './log.ts';
import { setupOpening, type Opening } from './opening.ts';
import { shellPaths } from './paths.ts';
import { setupPortable } from './portable.ts';
import { createSecretVault } from './secret-vault.ts';
import { setupSelfCheck } from './self-check.ts';
import { setupShell } from './shell.ts';
import { createStateStore } from './shell-state.ts';
import { setupSingleInstance } from './single-instance.ts';
import { systemCipher } from './system-cipher.ts';
import { text } from './text.ts';

async function launch(opening: Opening, selfCheck: string | undefined): Promise<void> {
  const paths = shellPaths(import.meta.dirname, app.getPath('userData'), app.getPath('logs'));
  const log = createLog(paths.log);
  const vault = createSecretVault({ cipher: await systemCipher(log), file: paths.secrets, log });
  const store = createStateStore(paths.state, log);
  setupShell({ paths, log, vault, store, opening, token: createToken(), clock: systemClock, selfCheck });
}

function reportError(error: unknown): void {
  dialog.showErrorBox(text.notStarted, error instanceof Error ? error.message : String(error));
  app.exit(1);
}

function start(): void {
  const selfCheck = setupSelfCheck();
  const isApart = selfCheck !== undefined || setupPortable();
  if (!setupSingleInstance()) return;
  // All renderers, including renderers of a later window without its own setting.
  app.enableSandbox();
  // The spell checker downloads dictionaries from an unconfigured host and reads typed text.
  // `crashReporter.start` is never called for a similar reason: a dump contains patient data.
  app.on('session-created', (session) => session.setSpellCheckerEnabled(false));
  const opening = setupOpening(isApart);
  // Not a top-level await: with an ESM entry, Electron becomes ready only after this module is evaluated
  // (electron/electron#40719), so an await here would never resolve.
  app
    .whenReady()
    .then(() => launch(opening, selfCheck))
    .catch(reportError);
}

try {
  start();
} catch (error) {
  reportError(error);
}
