import { app } from 'electron';

/** Runs every renderer in Chromium's sandbox, also one that a later window forgets to ask for. */
export function setupSandbox(): void {
  app.enableSandbox();
}

/**
 * Turns the spell checker off for each session: it downloads dictionaries from a host that nobody configured, and
 * it reads what is typed. For the same reason `crashReporter.start` is called nowhere: a dump holds patient data.
 */
export function setupSpellChecker(): void {
  app.on('session-created', (session) => session.setSpellCheckerEnabled(false));
}
