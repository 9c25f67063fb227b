/** The page behind an Apache httpd that compresses JSON, and therefore changes the ETag of each response. */
import { hasApache, startApache } from '../server/testing/apache.ts';
import { expect, test } from './fixtures.ts';
import { change } from './overlap.ts';
import { readPlan, RecordPage, storePlan } from './record-page.ts';
import { Workbench } from './workbench.ts';

test.use({ flags: ['--allow-host', '127.0.0.1'], servers: 1 });

test(
  'merges with a change that another client makes between the review and the save',
  { tag: ['@conflict', '@browser'] },
  async ({ page, server }) => {
    test.skip(!hasApache, 'not run: Apache httpd is not installed');
    const id = await storePlan(server);
    const apache = await startApache(server.origin);
    try {
      const workbench = new Workbench(page);
      await workbench.open((await server.link()).replace(server.origin, apache.origin));
      const record = new RecordPage(page);
      const recordResponse = page.waitForResponse((response) => response.url().endsWith(`/CarePlan/${id}`));
      await record.open();
      // Otherwise the test proves nothing: this Apache does not change the tags.
      expect((await recordResponse).headers().etag).toBe('W/"1-gzip"');
      await workbench.replaceInEditor('"title": "Exact"', '"title": "Mine"');
      await record.startReview();
      expect((await record.shownRequest()).head).toContain('If-Match: W/"1"');

      // As late as possible: the page has already read version 1, and sends the save for it.
      let isFirst = true;
      await page.route(`**/CarePlan/${id}`, async (route) => {
        if (isFirst && route.request().method() === 'PUT') {
          isFirst = false;
          await change(server, id, { description: 'Theirs' });
        }
        await route.continue();
      });
      await record.save();
      await expect(record.review).toContainText('saved version 2');
      const storedPlan = JSON.parse(await readPlan(server, id)) as object;
      expect(storedPlan).toMatchObject({ title: 'Exact', description: 'Theirs', meta: { versionId: '2' } });

      await record.save();
      await expect(workbench.status).toContainText('Saved version 3');
      const mergedPlan = JSON.parse(await readPlan(server, id)) as object;
      expect(mergedPlan).toMatchObject({ title: 'Mine', description: 'Theirs' });
    } finally {
      await apache.close();
    }
  },
);
