import { postgresPrograms, type TestDatabase } from '../server/testing/postgres.ts';
import { expect, test as base } from './fixtures.ts';
import { openWindow } from './offline.ts';
import { readPlan, RecordPage, storePlan } from './record-page.ts';
import { makeDataDir, removeDataDir, type TestServer } from './server.ts';
import { startAlone } from './server-process.ts';
import { makeStore } from './shared-store.ts';
import { Workbench } from './workbench.ts';

async function serveOn(store: TestDatabase, use: (server: TestServer) => Promise<void>): Promise<void> {
  const dataDir = await makeDataDir();
  const server = await startAlone(dataDir, ['--store', store.server]);
  await use(server);
  await server.stop();
  await removeDataDir(dataDir);
}

/** Two servers over one store. */
const test = base.extend<{ store: TestDatabase; other: TestServer }>({
  store: async ({ browserName: _ }, use, info) => {
    info.skip(postgresPrograms() === undefined, 'not run: PostgreSQL is not installed');
    const store = await makeStore();
    await use(store);
    await store.remove();
  },
  server: ({ store }, use) => serveOn(store, use),
  other: ({ store }, use) => serveOn(store, use),
});

for (const tag of ['@long', '@timed']) {
  test(
    `two people at two servers: each hears of the other's save${tag === '@timed' ? ' within two seconds' : ''}, and one press merges it`,
    { tag },
    async ({ workbench, page, server, other, browser }) => {
      const id = await storePlan(server);
      const mine = new RecordPage(page);
      await mine.open();
      const window = await openWindow(browser);
      const [theirs, their] = [new RecordPage(window), new Workbench(window)];
      await their.open(await other.link());
      await theirs.open();
      for (const one of [page, window]) await expect(one.getByRole('contentinfo')).toContainText('connected');

      await their.replaceInEditor('"description": "Walk"', '"description": "Swim"');
      await theirs.startReview();
      await theirs.save();
      await expect(their.status).toContainText('Saved version 2');
      const saved = Date.now();
      const toMe = page.getByRole('alert').filter({ hasText: 'Version 2 was saved by' });
      await expect(toMe).toBeVisible();
      const heard = [Date.now() - saved];

      // Mine stands on version 1.
      await workbench.replaceInEditor('"title": "Exact"', '"title": "Mine"');
      await page.getByRole('button', { name: 'Merge', exact: true }).click();
      await expect(mine.review).toContainText('as version 3 to Local');
      await mine.save();
      await expect(workbench.status).toContainText('Saved version 3');
      const again = Date.now();
      await expect(window.getByRole('alert').filter({ hasText: 'Version 3 was saved by' })).toBeVisible();
      heard.push(Date.now() - again);
      const stored = await readPlan(other, id);
      for (const kept of ['"Mine"', '"Swim"', '1.00', '12345678901234567890.10'])
        expect(stored).toContain(kept);
      await window.close();
      if (tag === '@timed') for (const ms of heard) expect(ms).toBeLessThan(2000);
    },
  );
}
