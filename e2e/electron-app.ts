/** The desktop app on its double, for the specs of this harness alone. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test as base, type Page } from '@playwright/test';
import type { Double } from './electron-double/double.ts';
import type { DoubleChild } from './electron-double/double-child.ts';
import { launchDouble } from './electron-double/launch.ts';
import { foreignRequests } from './offline.ts';
import { makeDataDir, removeDataDir, startTestServer, type TestServer } from './server.ts';

export interface DoubleApp {
  readonly double: Double;
  readonly page: Page;
  readonly userData: string;
  /** What the page asked of any other place than its server. */
  readonly foreign: readonly string[];
  /** The server process as it is now. */
  readonly server: () => DoubleChild;
  /** How often a server became ready, by the log. */
  readonly ready: () => Promise<number>;
}

interface StartOptions {
  readonly keychain?: boolean;
  /** Whether the failure page is expected in place of the workbench. */
  readonly failing?: boolean;
}

interface Fixtures {
  userData: string;
  /** Another server, for a connection to it. */
  ward: TestServer;
  /** Starts the app, as often as is asked, on the same folder. */
  start: (argv?: readonly string[], options?: StartOptions) => Promise<DoubleApp>;
}

function newestOf<T>(list: readonly T[]): T {
  const last = list.at(-1);
  if (last === undefined) throw new Error('Nothing was started.');
  return last;
}

export const test = base.extend<Fixtures>({
  userData: async ({ browserName: _ }, use) => {
    const folder = await makeDataDir();
    await use(folder);
    await removeDataDir(folder);
  },
  ward: async ({ browserName: _ }, use) => {
    const folder = await makeDataDir();
    const ward = await startTestServer(folder);
    await use(ward);
    await ward.kill();
    await removeDataDir(folder);
  },
  start: async ({ browser, userData }, use) => {
    const started: Double[] = [];
    await use(async (argv = [], { keychain = true, failing = false } = {}) => {
      const double = await launchDouble({ browser, userData, keychain }, argv);
      started.push(double);
      await expect.poll(() => double.windows.length).toBe(1);
      const page = await newestOf(double.windows).page;
      if (!failing) await expect(page.locator('html[data-ready="true"]')).toBeAttached();
      const log = () => readFile(join(userData, 'logs', 'chartkeeper.log'), 'utf8').catch(() => '');
      return {
        double,
        page,
        userData,
        foreign: foreignRequests(page, new URL(page.url()).origin),
        server: () => newestOf(double.children),
        ready: async () => (await log()).split('server ready on port').length - 1,
      };
    });
    for (const double of started) await double.end();
  },
});

/** The token of this launch, as main sent it to the server process. */
export function tokenOf({ server }: DoubleApp): string {
  const [order] = server().orders as { token: string }[];
  return order?.token ?? '';
}

/** Asks the server with the page's own rights: by a request of the window, to which the shell adds the token. */
export function ask({ page }: DoubleApp, method: string, path: string, body?: unknown): Promise<any> {
  return page.evaluate(
    async ([verb, address, sent]) => {
      const answer = await fetch(String(address), {
        method: String(verb),
        ...(sent !== undefined && {
          body: JSON.stringify(sent),
          headers: { 'Content-Type': 'application/json' },
        }),
      });
      return answer.json().catch(() => undefined);
    },
    [method, path, body],
  );
}
