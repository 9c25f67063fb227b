import { expect, test as base } from '@playwright/test';
import { canFollow, electronProject, startDesktop, type DesktopApp } from './electron-fixture.ts';
import { foreignRequests, goOffline } from './offline.ts';
import { startAlone } from './server-process.ts';
import { copyDataDir, makeDataDir, removeDataDir, startTestServer, type TestServer } from './server.ts';
import { Workbench } from './workbench.ts';

export interface Fixtures {
  /** Flags of `serve` besides port and folder: `test.use({ flags: ['--demo'] })`. */
  flags: string[];
  /** Number of servers over a shared store that the page uses in turn (server.ts). */
  servers: 1 | 2;
  /** The desktop app in its project. Undefined in a browser. */
  desktop: DesktopApp | undefined;
  server: TestServer;
  workbench: Workbench;
}

/**
 * A line that the browser writes for each response from 400 on. The tests check such responses themselves.
 */
const expectedLine = 'Failed to load resource';

export interface WorkerFixtures {
  /** A data folder with the demo clinic, loaded once and copied for each test that needs it. */
  demoDir: string;
}

const demoFlag = '--demo';

/**
 * A test without network, with its own server and the open page. Fails on any request to another server and
 * on any console error.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  demoDir: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from the pattern
    async ({}, use) => {
      const dataDir = await makeDataDir();
      await (await startAlone(dataDir, [demoFlag])).stop();
      await use(dataDir);
      await removeDataDir(dataDir);
    },
    { scope: 'worker' },
  ],
  flags: [[], { option: true }],
  servers: [2, { option: true }],
  desktop: async ({ flags }, use, info) => {
    if (info.project.name !== electronProject) return use(undefined);
    info.skip(!canFollow(flags), 'not run: the desktop app takes no flags of serve');
    const desktop = await startDesktop(flags);
    await use(desktop);
    await desktop.close();
  },
  page: async ({ page, desktop }, use) => {
    if (desktop) return use(desktop.page);
    await goOffline(page);
    await use(page);
  },
  server: async ({ flags, servers, desktop, demoDir }, use) => {
    if (desktop) return use(desktop.server);
    const dataDir = await makeDataDir();
    if (flags.includes(demoFlag)) await copyDataDir(demoDir, dataDir);
    const otherFlags = flags.filter((flag) => flag !== demoFlag);
    const server = await startTestServer(dataDir, otherFlags, servers);
    await use(server);
    await server.stop();
    await removeDataDir(dataDir);
  },
  workbench: async ({ page, server, desktop }, use) => {
    const foreign = foreignRequests(page, server.origin);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.stack ?? error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith(expectedLine)) {
        errors.push(message.text());
      }
    });
    const workbench = new Workbench(page);
    // The desktop app opens its page itself.
    if (!desktop) await workbench.open(await server.link());
    await use(workbench);
    await page.context().unrouteAll({ behavior: 'ignoreErrors' });
    expect(foreign).toEqual([]);
    expect(errors).toEqual([]);
  },
});

export { expect } from '@playwright/test';
