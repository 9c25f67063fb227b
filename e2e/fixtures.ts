import { expect, test as base } from '@playwright/test';
import { makeDataDir, removeDataDir, startTestServer, type TestServer } from './server.ts';
import { Workbench } from './workbench.ts';

export interface Fixtures {
  /** Flags of `serve` beyond port and folder; `test.use({ flags: ['--demo'] })`. */
  flags: string[];
  server: TestServer;
  workbench: Workbench;
}

/** A test with a server of its own and the page open; fails on any request to another host and any console error. */
export const test = base.extend<Fixtures>({
  flags: [[], { option: true }],
  server: async ({ flags }, use) => {
    const dataDir = await makeDataDir();
    const server = await startTestServer(dataDir, flags);
    await use(server);
    await server.stop();
    await removeDataDir(dataDir);
  },
  workbench: async ({ page, server }, use) => {
    const foreign: string[] = [];
    const errors: string[] = [];
    page.on('request', (request) => {
      const address = request.url();
      if (!address.startsWith(server.origin) && !/^(data|blob):/.test(address)) foreign.push(address);
    });
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      // The browser itself writes a line for each answer from 400 on; the tests look at those answers.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        errors.push(message.text());
      }
    });
    const workbench = new Workbench(page);
    await workbench.open(server.address);
    await use(workbench);
    expect(foreign).toEqual([]);
    expect(errors).toEqual([]);
  },
});

export { expect } from '@playwright/test';
