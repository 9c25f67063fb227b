/** The desktop app on its double, only for the specs of this project. */
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
  /** Requests of the page to other servers. */
  readonly foreign: readonly string[];
  /** Returns the current server process. */
  readonly server: () => DoubleChild;
  /** Returns how often a server became ready, by the log. */
  readonly ready: () => Promise<number>;
}

interface StartOptions {
  readonly keychain?: boolean;
  /** True if the failure page is expected instead of the workbench. */
  readonly failing?: boolean;
}

interface Fixtures {
  userData: string;
  /** Another server, for a connection to it. */
  ward: TestServer;
  /** Starts the app on the same folder. Can be called repeatedly. */
  start: (argv?: readonly string[], options?: StartOptions) => Promise<DoubleApp>;
}

function getLatest<T>(list: readonly T[]): T {
  const latest = list.at(-1);
  if (latest === undefined) throw new Error('Nothing was started.');
  return latest;
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
    const doubles: Double[] = [];
    await use(async (argv = [], { keychain = true, failing = false } = {}) => {
      const double = await launchDouble({ browser, userData, keychain }, argv);
      doubles.push(double);
      await expect.poll(() => double.windows.length).toBe(1);
      const page = await getLatest(double.windows).page;
      if (!failing) await expect(page.locator('html[data-ready="true"]')).toBeAttached();
      const log = () => readFile(join(userData, 'logs', 'chartkeeper.log'), 'utf8').catch(() => '');
      return {
        double,
        page,
        userData,
        foreign: foreignRequests(page, new URL(page.url()).origin),
        server: () => getLatest(double.children),
        ready: async () => (await log()).split('server ready on port').length - 1,
      };
    });
    for (const double of doubles) await double.end();
  },
});

/** Returns the token of this launch, as main sent it to the server process. */
export function readToken({ server }: DoubleApp): string {
  const [order] = server().orders as { token: string }[];
  return order?.token ?? '';
}

/** Sends a request from the window, to which the shell adds the token. */
export function ask({ page }: DoubleApp, method: string, path: string, body?: unknown): Promise<any> {
  return page.evaluate(
    async ([verb, address, sentBody]) => {
      const response = await fetch(String(address), {
        method: String(verb),
        ...(sentBody !== undefined && {
          body: JSON.stringify(sentBody),
          headers: { 'Content-Type': 'application/json' },
        }),
      });
      return response.json().catch(() => undefined);
    },
    [method, path, body],
  );
}
