import { readFile } from 'node:fs/promises';
import { expect, test } from './fixtures.ts';
import { importDirty, QualityPage } from './quality-page.ts';
import { patchRecord, readRecord } from './server.ts';

const plan = (id: string, status: string, extra: Record<string, unknown> = {}) => ({
  resourceType: 'CarePlan',
  id,
  title: `Plan ${id}`,
  status,
  intent: 'plan',
  subject: { reference: 'Patient/p' },
  ...extra,
});

test('shows the effect on each record in a dry run, then sends exactly that @bulk', async ({
  workbench,
  page,
  server,
}) => {
  await importDirty(server, [
    plan('a', 'actve'),
    plan('b', 'actve'),
    plan('c', 'done'),
    plan('d', 'active', { activity: [{ detail: { status: 'doing' } }] }),
  ]);
  await page.reload();
  const quality = new QualityPage(page);
  await quality.open();
  await quality.rule('schema-code').click();
  await page.getByRole('button', { name: 'Bulk edit', exact: true }).click();
  await expect(quality.sheet.getByRole('button', { name: /^Change \d/ })).toHaveCount(0);
  await quality.dryRun('/status', 'active', 'actve');
  await expect(quality.targets('Plan a')).toContainText('Would change');
  await expect(quality.targets('Plan a')).toContainText('"actve"');
  await expect(quality.targets('Plan c')).toContainText('No change needed');
  expect(await readRecord(server, 'CarePlan/a')).toMatchObject({ status: 'actve' });

  // Another client changes one of them first.
  await patchRecord(server, 'CarePlan/b', '/status', 'on-hold');
  await quality.sheet.getByRole('button', { name: 'Change 2 records' }).click();
  await expect(quality.sheet.getByText('1 record changed')).toBeVisible();
  await expect(quality.targets('Plan a')).toContainText('Done');
  expect(await readRecord(server, 'CarePlan/a')).toMatchObject({
    status: 'active',
    meta: { versionId: '2' },
  });
  expect(await readRecord(server, 'CarePlan/b')).toMatchObject({
    status: 'on-hold',
    meta: { versionId: '2' },
  });
  expect(await readRecord(server, 'CarePlan/c')).toMatchObject({ status: 'done', meta: { versionId: '1' } });

  const download = page.waitForEvent('download');
  await quality.sheet.getByRole('button', { name: 'Export results' }).click();
  const report = await readFile(await (await download).path(), 'utf8');
  expect(report).toContain('CarePlan,a,Plan a,changed,2,');
  await quality.sheet.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(quality.findings('Plan a')).toHaveCount(0);
  await expect(workbench.status).toContainText('4 results exported');
});

test('shows the current state of a record changed by others, and replaces it only on request @bulk', async ({
  workbench: _,
  page,
  server,
}) => {
  await importDirty(server, [plan('a', 'actve'), plan('b', 'actve')]);
  await page.reload();
  const quality = new QualityPage(page);
  await quality.open();
  await quality.rule('schema-code').click();
  await page.getByRole('button', { name: 'Bulk edit', exact: true }).click();
  await quality.dryRun('/status', 'active');
  await patchRecord(server, 'CarePlan/b', '/status', 'on-hold');
  await quality.sheet.getByRole('button', { name: 'Change 2 records' }).click();
  await expect(quality.targets('Plan b')).toContainText('Changed by others');
  await expect(quality.targets('Plan b')).toContainText('not overwritten');
  expect(await readRecord(server, 'CarePlan/b')).toMatchObject({ status: 'on-hold' });
  await quality.sheet.getByRole('button', { name: 'Retry 1 changed by others' }).click();
  await expect(quality.targets('Plan b')).toContainText('Done');
  expect(await readRecord(server, 'CarePlan/b')).toMatchObject({
    status: 'active',
    meta: { versionId: '3' },
  });
});

test('reports impossible and rejected replacements before anything is sent @bulk', async ({
  workbench,
  page,
  server,
}) => {
  await importDirty(server, [plan('a', 'active'), plan('b', 'active', { note: [{ text: 'x' }] })]);
  await workbench.search('CarePlan', { patient: 'p' });
  await expect(workbench.rows()).toHaveCount(2);
  await page.keyboard.press('Alt+Shift+R');
  const quality = new QualityPage(page);
  await quality.dryRun('/note/*/text', 'y');
  await expect(quality.targets('Plan a')).toContainText('Nothing at /note/*/text in this record.');
  await expect(quality.targets('Plan b')).toContainText('Would change');
  await quality.sheet.getByRole('button', { name: 'Edit changes' }).click();
  await quality.dryRun('/status', 'nonsense');
  await expect(quality.targets('Would be refused')).toHaveCount(2);
  await expect(quality.sheet.getByRole('button', { name: 'Change 0 records' })).toBeDisabled();
});

test('continues a stopped run after a reload', { tag: '@bulk' }, async ({ workbench, page, server }) => {
  const ids = Array.from({ length: 24 }, (_, number) => `r${number}`);
  await importDirty(
    server,
    ids.map((id) => plan(id, 'draft')),
  );
  let sentCount = 0;
  let release: () => void = () => undefined;
  const holdPromise = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/fhir-r4/v1/CarePlan/*', async (route) => {
    if (route.request().method() === 'PATCH' && ++sentCount > 6) await holdPromise;
    await route.continue();
  });
  await workbench.search('CarePlan', { patient: 'p' });
  await expect(workbench.rows().first()).toBeVisible();
  await page.getByRole('button', { name: 'Bulk edit all results' }).click();
  const quality = new QualityPage(page);
  await quality.dryRun('/status', 'active');
  await quality.sheet.getByRole('button', { name: 'Change 24 records' }).click();
  await expect(quality.sheet.getByText(/^Changing records: 6 of 24/)).toBeVisible();
  await quality.sheet.getByRole('button', { name: 'Stop' }).click();
  await expect(quality.sheet.getByText('Stopped after 6 of 24. 18 left.')).toBeVisible();
  release();
  await expect(quality.sheet.getByText('Stopped after 10 of 24. 14 left.')).toBeVisible();
  await expect(workbench.status).toContainText('Stopped after 10 of 24');

  await page.reload();
  await quality.open();
  await page.getByRole('button', { name: /Stopped · 10 of 24/ }).click();
  await expect(quality.sheet.getByText('Stopped after 10 of 24. 14 left.')).toBeVisible();
  await quality.sheet.getByRole('button', { name: 'Resume' }).click();
  await expect(quality.sheet.getByText('24 records changed')).toBeVisible();
  for (const id of ids) {
    expect(await readRecord(server, `CarePlan/${id}`)).toMatchObject({
      status: 'active',
      meta: { versionId: '2' },
    });
  }
});

test('undoes a run, continues an interrupted undo, and lists records changed since @bulk', async ({
  workbench,
  page,
  server,
}) => {
  const ids = Array.from({ length: 12 }, (_, number) => `u${number}`);
  await importDirty(
    server,
    ids.map((id) => plan(id, 'draft', { note: [{ text: 'x' }] })),
  );
  await workbench.search('CarePlan', { patient: 'p' });
  await expect(workbench.rows().first()).toBeVisible();
  await page.getByRole('button', { name: 'Bulk edit all results' }).click();
  const quality = new QualityPage(page);
  await quality.dryRun('/status', 'active');
  await quality.sheet.getByRole('button', { name: 'Change 12 records' }).click();
  await expect(quality.sheet.getByText('12 records changed')).toBeVisible();
  await patchRecord(server, 'CarePlan/u11', '/status', 'on-hold');

  // Four are reverted, then the page is gone before the next response.
  let sentCount = 0;
  await page.route('**/put-back', async (route) => {
    if (++sentCount > 4) return;
    await route.continue();
  });
  await quality.sheet.getByRole('button', { name: 'Undo', exact: true }).click();
  await quality.sheet.getByRole('button', { name: 'Undo 12 records' }).click();
  const undo = page.getByRole('dialog', { name: 'Undo bulk edit' });
  await expect(undo.getByText(/^Restoring: 4 of 12/)).toBeVisible();
  await page.reload();
  await page.unroute('**/put-back');
  await quality.open();
  await page.getByRole('button', { name: /^Undo: / }).click();
  await expect(undo.getByText(/^Stopped after [0-4] of 12/)).toBeVisible();
  await undo.getByRole('button', { name: 'Resume' }).click();
  await expect(undo.getByText('11 records restored')).toBeVisible();
  const rows = undo.getByRole('grid', { name: 'Records' }).getByRole('row');
  await expect(rows.filter({ hasText: 'Changed since' })).toContainText(['Plan u11']);
  for (const id of ids.slice(0, 11)) {
    expect(await readRecord(server, `CarePlan/${id}`)).toMatchObject({
      status: 'draft',
      meta: { versionId: '3' },
    });
  }
  expect(await readRecord(server, 'CarePlan/u11')).toMatchObject({ status: 'on-hold' });
  await undo.getByRole('button', { name: 'Open original run' }).click();
  await expect(quality.sheet.getByText('Undone in 11 records.')).toBeVisible();
  await quality.sheet.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Bulk edits' })).toContainText('Undone in 11 of 12');
});
