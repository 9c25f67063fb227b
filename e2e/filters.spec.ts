import { readFile } from 'node:fs/promises';
import { expect, test } from './fixtures.ts';
import { DataPage } from './data-page.ts';
import { importDirty, QualityPage } from './quality-page.ts';
import { SearchPage } from './search-page.ts';

test.use({ flags: ['--demo'] });

const plan = (id: string, status: string, end: string) => ({
  resourceType: 'CarePlan',
  id,
  title: `Plan ${id}`,
  status,
  intent: 'plan',
  subject: { reference: 'Patient/p' },
  period: { start: '2019-01-01', end },
});

test('finds all active plans that ended with filters only @search', async ({ workbench, page, server }) => {
  await importDirty(server, [
    plan('over', 'active', '2020-01-01'),
    plan('held', 'on-hold', '2999-01-01'),
    plan('done', 'completed', '2020-01-01'),
  ]);
  await workbench.search('CarePlan', {});
  const filters = page.getByRole('region', { name: 'Filters' });
  const active = filters.getByRole('checkbox', { name: /^active/ });
  const count = Number((await active.innerText()).replace(/\D/g, ''));
  await active.click();
  await expect(workbench.status).toContainText(`Found ${count} CarePlans`);
  await expect(active).toBeChecked();

  const findings = filters.getByRole('group', { name: 'Issues' });
  const endedFilter = findings.getByRole('button', { name: /period ended/ });
  await expect(endedFilter).toContainText(/\D1$/);
  await endedFilter.click();
  const quality = new QualityPage(page);
  await expect(quality.rule('plan-overdue')).toHaveAttribute('aria-selected', 'true');
  await expect(quality.findings('Plan over')).toHaveCount(1);
  await expect(quality.findings()).toHaveCount(1);

  await page.getByRole('tab', { name: 'Search' }).click();
  await filters.getByRole('button', { name: 'Remove active' }).click();
  await expect(active).not.toBeChecked();
});

test('writes everything changed since yesterday as CSV @search @browser', async ({ workbench, page }) => {
  const search = new SearchPage(page);
  await page.getByRole('combobox', { name: 'Resource type' }).selectOption('CarePlan');
  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  await search.narrow('_lastUpdated', { comparison: 'on or after', value: yesterday });
  await search.submit.click();
  await expect(workbench.status).toContainText(/^Found [\d,]+ CarePlans/);
  const total = Number(/Found ([\d,]+)/.exec(await workbench.status.innerText())?.[1]?.replaceAll(',', ''));
  expect(total).toBeGreaterThan(500);

  await new DataPage(page).button('Export').click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  const done = await download;
  expect(done.suggestedFilename()).toMatch(/^chartkeeper-CarePlan-.*\.csv$/);
  const lines = (await readFile(await done.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines[0]).toMatch(/^status,title,subject,date,/);
  expect(lines).toHaveLength(total + 1);
  await expect(workbench.status).toContainText(`to ${done.suggestedFilename()}`);
});
