/**
 * The desktop app for the project `electron`: runs the specs of the browser in the window of the real shell.
 */
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { join } from 'node:path';
import { root } from '../scripts/bundles.ts';
import { findElectron, hasDisplay } from '../scripts/electron-program.ts';
import { makeDataDir, newLink, removeDataDir, type TestServer } from './server.ts';

/** The name of the project whose tests run in the desktop app. */
export const electronProject = 'electron';

/** Returns Electron's program if it is installed and a window can be shown. */
export function electronProgram(): string | undefined {
  return hasDisplay() ? findElectron() : undefined;
}

export interface DesktopApp {
  readonly page: Page;
  readonly server: TestServer;
  close(): Promise<void>;
}

/** Flags of `serve` that the desktop app can be brought to by other means. */
const supportedFlags = ['--demo'];

/** Returns true if a test with these flags of `serve` can run in the desktop app, which accepts none. */
export function canFollow(flags: readonly string[]): boolean {
  return flags.every((flag) => supportedFlags.includes(flag));
}

/** Chromium has no sandbox for root, which containers use for tests. */
const rootFlags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** Starts the desktop app on a separate folder and waits for its page. */
export async function startDesktop(flags: readonly string[]): Promise<DesktopApp> {
  const executablePath = electronProgram();
  if (executablePath === undefined) throw new Error('Electron is not on this machine.');
  const userData = await makeDataDir();
  const app = await _electron.launch({
    executablePath,
    args: [root, `--user-data-dir=${userData}`, ...rootFlags],
  });
  const page = await app.firstWindow();
  await page.locator('html[data-ready="true"]').waitFor({ state: 'attached' });
  let exit: Promise<void> | undefined;
  const end = () => (exit ??= exitNow(app).then(() => removeDataDir(userData)));
  const server = await createTestServer(page, join(userData, 'data'), end);
  if (flags.includes('--demo')) await sendRequest(page, 'POST', '/app/training/clean');
  return { page, server, close: end };
}

/**
 * Returns the server as the specs use it: with a separate token, because the shell's own is never visible.
 */
async function createTestServer(page: Page, dataDir: string, end: () => Promise<void>): Promise<TestServer> {
  const { origin } = new URL(page.url());
  const minted = await sendRequest(page, 'POST', '/app/tokens', {
    name: 'end-to-end tests',
    scopes: ['system/*.*'],
  });
  const token = String(minted.token);
  return {
    origin,
    token,
    link: () => newLink({ origin, token }),
    dataDir,
    log: () => '',
    stop: end,
    kill: end,
  };
}

/** Ends the app without the prompt for unsaved edits. */
async function exitNow(electron: ElectronApplication): Promise<void> {
  const closed = electron.waitForEvent('close');
  await electron.evaluate(({ app }) => app.exit(0)).catch(() => undefined);
  await closed;
}

function sendRequest(page: Page, method: string, path: string, body?: object): Promise<any> {
  return page.evaluate(
    async ([verb, address, sentBody]) => {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(address, {
        method: verb,
        ...(sentBody !== '' && { body: sentBody, headers }),
      });
      return answer.json().catch(() => undefined);
    },
    [method, path, body === undefined ? '' : JSON.stringify(body)] as const,
  );
}
