import { expect, test } from './fixtures.ts';
import { change } from './overlap.ts';
import { openPlan, readPlan } from './record-page.ts';

test("shows another client's save on the open record and in the results, and merges it on one press @live", async ({
  workbench,
  page,
  server,
}) => {
  const { record, id } = await openPlan(page, server);
  await expect(page.getByRole('contentinfo')).toContainText('connected');
  await change(server, id, { description: 'Swim' });
  const banner = page.getByRole('alert').filter({ hasText: 'owner saved version 2' });
  await expect(banner).toContainText('You are viewing version 1.');
  await page.getByRole('tab', { name: 'Search' }).click();
  await expect(
    workbench.results.getByRole('img', { name: 'Changed since this search: version 2 by owner' }),
  ).toBeVisible();
  await page.getByRole('tab', { name: /\bExact/ }).click();
  await banner.getByRole('button', { name: 'Show version 2' }).click();
  await expect(record.editor).toContainText('"Swim"');
  await expect(banner).toBeHidden();

  await workbench.replaceInEditor('"title": "Exact"', '"title": "Mine"');
  await change(server, id, { description: 'Run' });
  await page.getByRole('button', { name: 'Merge', exact: true }).click();
  await expect(record.review).toContainText('as version 4 to Local');
  await record.save();
  await expect(workbench.status).toContainText('Saved version 4');
  const storedText = await readPlan(server, id);
  for (const expectedText of ['"Mine"', '"Run"', '1.00', '12345678901234567890.10'])
    expect(storedText).toContain(expectedText);
});

test('reports an unreachable server without a request @live', async ({ workbench, page, server }) => {
  const statusBar = page.getByRole('contentinfo');
  await expect(statusBar).toContainText('connected');
  await server.stop();
  await expect(statusBar).toContainText('reconnecting');
  await expect(workbench.status).toHaveText(/^offline since \d\d:\d\d/);
});
