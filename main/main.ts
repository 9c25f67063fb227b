/*
 * The Electron shell: it starts the server process, shows its page and hardens both. Only Electron calls it; it
 * imports core/ and knows the server by file path. What it keeps: the page never holds the token, and only the
 * main frame at the server's own origin can navigate, be answered over IPC or have its requests authorized.
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

function reportFault(fault: unknown): void {
  dialog.showErrorBox(text.notStarted, fault instanceof Error ? fault.message : String(fault));
  app.exit(1);
}

function begin(): void {
  const selfCheck = setupSelfCheck();
  const isApart = selfCheck !== undefined || setupPortable();
  if (!setupSingleInstance()) return;
  // Every renderer, also that of a later window that forgets to ask for it.
  app.enableSandbox();
  // The spell checker downloads dictionaries from a host that nobody configured, and reads what is typed. For the same
  // reason `crashReporter.start` is called nowhere: a dump holds patient data.
  app.on('session-created', (session) => session.setSpellCheckerEnabled(false));
  const opening = setupOpening(isApart);
  // Not a top-level await: with an ESM entry, Electron becomes ready only after this module is evaluated
  // (electron/electron#40719), so awaiting here would hang for ever.
  app
    .whenReady()
    .then(() => launch(opening, selfCheck))
    .catch(reportFault);
}

try {
  begin();
} catch (fault) {
  reportFault(fault);
}
