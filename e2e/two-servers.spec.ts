import { postgresPrograms, type TestDatabase } from '../server/testing/postgres.ts';
import { expect, test as base } from './fixtures.ts';
import { openWindow } from './offline.ts';
import { readPlan, RecordPage, storePlan } from './record-page.ts';
import { makeDataDir, removeDataDir, type TestServer } from './server.ts';
import { startAlone } from './server-process.ts';
import { createStore } from './shared-store.ts';
import { Workbench } from './workbench.ts';

async function serveOn(store: TestDatabase, use: (server: TestServer) => Promise<void>): Promise<void> {
  const dataDir = await makeDataDir();
  const server = await startAlone(dataDir, ['--store', store.address]);
  await use(server);
  await server.stop();
  await removeDataDir(dataDir);
}

/** Two servers over one store. */
const test = base.extend<{ store: TestDatabase; otherServer: TestServer }>({
  store: async ({ browserName: _ }, use, info) => {
    info.skip(postgresPrograms() === undefined, 'not run: PostgreSQL is not installed');
    const store = await createStore();
    await use(store);
    await store.remove();
  },
  server: ({ store }, use) => serveOn(store, use),
  otherServer: ({ store }, use) => serveOn(store, use),
});

test(
  "notifies each of two people of the other's save, and merges on one press",
  { tag: '@live' },
  async ({ workbench, page, server, otherServer, browser }) => {
    const id = await storePlan(server);
    const ourRecord = new RecordPage(page);
    await ourRecord.open();
    const window = await openWindow(browser);
    const [theirs, their] = [new RecordPage(window), new Workbench(window)];
    await their.open(await otherServer.link());
    await theirs.open();
    for (const openPage of [page, window])
      await expect(openPage.getByRole('contentinfo')).toContainText('connected');

    await their.replaceInEditor('"description": "Walk"', '"description": "Swim"');
    await theirs.startReview();
    await theirs.save();
    await expect(their.status).toContainText('Saved version 2');
    const ourAlert = page.getByRole('alert').filter({ hasText: 'saved version 2' });
    await expect(ourAlert).toBeVisible();

    // Our text is based on version 1.
    await workbench.replaceInEditor('"title": "Exact"', '"title": "Mine"');
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    await expect(ourRecord.review).toContainText('as version 3 to Local');
    await ourRecord.save();
    await expect(workbench.status).toContainText('Saved version 3');
    await expect(window.getByRole('alert').filter({ hasText: 'saved version 3' })).toBeVisible();
    const storedText = await readPlan(otherServer, id);
    for (const expectedText of ['"Mine"', '"Swim"', '1.00', '12345678901234567890.10'])
      expect(storedText).toContain(expectedText);
    await window.close();
  },
);
