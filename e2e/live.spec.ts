import { expect, test } from './fixtures.ts';
import { change } from './overlap.ts';
import { openPlan, readPlan } from './record-page.ts';

test('what another client saves is told on the open record and marked in the results; one press merges it', async ({
  workbench,
  page,
  server,
}) => {
  const { record, id } = await openPlan(page, server);
  await expect(page.getByRole('contentinfo')).toContainText('connected');
  await change(server, id, { description: 'Swim' });
  const notice = page.getByRole('alert').filter({ hasText: 'Version 2 was saved by owner' });
  await expect(notice).toContainText('What stands here is version 1.');
  await page.getByRole('tab', { name: 'Search' }).click();
  await expect(
    workbench.results.getByRole('img', { name: 'Changed since it was listed: version 2 by owner' }),
  ).toBeVisible();
  await page.getByRole('tab', { name: /^Exact/ }).click();
  await notice.getByRole('button', { name: 'Show version 2' }).click();
  await expect(record.editor).toContainText('"Swim"');
  await expect(notice).toBeHidden();

  await workbench.replaceInEditor('"title": "Exact"', '"title": "Mine"');
  await change(server, id, { description: 'Run' });
  await page.getByRole('button', { name: 'Merge', exact: true }).click();
  await expect(record.review).toContainText('as version 4 to Local');
  await record.save();
  await expect(workbench.status).toContainText('Saved version 4');
  const stored = await readPlan(server, id);
  for (const kept of ['"Mine"', '"Run"', '1.00', '12345678901234567890.10']) expect(stored).toContain(kept);
});

test('a server that is gone is told without a request @long', async ({ workbench, page, server }) => {
  const foot = page.getByRole('contentinfo');
  await expect(foot).toContainText('connected');
  await server.stop();
  await expect(foot).toContainText('reconnecting');
  await expect(workbench.status).toHaveText(/^not reached since \d\d:\d\d/);
});
