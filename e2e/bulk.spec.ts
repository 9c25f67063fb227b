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

test('a dry run shows what would become of each record, then only that is sent', async ({
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
  await quality.rule(/The code is not one/).click();
  await page.getByRole('button', { name: 'Replace in all' }).click();
  await expect(quality.sheet.getByRole('button', { name: /^Replace in \d/ })).toHaveCount(0);
  await quality.dryRun('/status', 'active', 'actve');
  await expect(quality.targets('Plan a')).toContainText('Would change');
  await expect(quality.targets('Plan a')).toContainText('"actve"');
  await expect(quality.targets('Plan c')).toContainText('Nothing to change');
  expect(await readRecord(server, 'CarePlan/a')).toMatchObject({ status: 'actve' });

  // Someone else is quicker with one of them.
  await patchRecord(server, 'CarePlan/b', '/status', 'on-hold');
  await quality.sheet.getByRole('button', { name: 'Replace in 2 records' }).click();
  await expect(quality.sheet.getByText('Replaced in 1 record')).toBeVisible();
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
  await quality.sheet.getByRole('button', { name: 'Export report' }).click();
  const report = await readFile(await (await download).path(), 'utf8');
  expect(report).toContain('CarePlan,a,Plan a,Done,2,');
  await quality.sheet.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(quality.findings('Plan a')).toHaveCount(0);
  await expect(workbench.status).toContainText('Exported 4 outcomes');
});

test('a record that was changed meanwhile is shown as it is now, and replaced only when asked again @long', async ({
  workbench: _,
  page,
  server,
}) => {
  await importDirty(server, [plan('a', 'actve'), plan('b', 'actve')]);
  await page.reload();
  const quality = new QualityPage(page);
  await quality.open();
  await quality.rule(/The code is not one/).click();
  await page.getByRole('button', { name: 'Replace in all' }).click();
  await quality.dryRun('/status', 'active');
  await patchRecord(server, 'CarePlan/b', '/status', 'on-hold');
  await quality.sheet.getByRole('button', { name: 'Replace in 2 records' }).click();
  await expect(quality.targets('Plan b')).toContainText('Changed meanwhile');
  await expect(quality.targets('Plan b')).toContainText('not overwritten');
  expect(await readRecord(server, 'CarePlan/b')).toMatchObject({ status: 'on-hold' });
  await quality.sheet.getByRole('button', { name: 'Replace in 1 changed meanwhile' }).click();
  await expect(quality.targets('Plan b')).toContainText('Done');
  expect(await readRecord(server, 'CarePlan/b')).toMatchObject({
    status: 'active',
    meta: { versionId: '3' },
  });
});

test('what cannot be replaced or would be refused is said before anything is sent @long', async ({
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
  await expect(quality.targets('Plan a')).toContainText('The record has nothing at /note/*/text.');
  await expect(quality.targets('Plan b')).toContainText('Would change');
  await quality.sheet.getByRole('button', { name: 'Change operations' }).click();
  await quality.dryRun('/status', 'nonsense');
  await expect(quality.targets('Would be refused')).toHaveCount(2);
  await expect(quality.sheet.getByRole('button', { name: 'Replace in 0 records' })).toBeDisabled();
});

test(
  'a run is stopped, survives a reload, and goes on where it stopped',
  { tag: '@long' },
  async ({ workbench, page, server }) => {
    const ids = Array.from({ length: 24 }, (_, number) => `r${number}`);
    await importDirty(
      server,
      ids.map((id) => plan(id, 'draft')),
    );
    let sent = 0;
    let hold: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      hold = resolve;
    });
    await page.route('**/fhir-r4/v1/CarePlan/*', async (route) => {
      if (route.request().method() === 'PATCH' && ++sent > 6) await held;
      await route.continue();
    });
    await workbench.search('CarePlan', { patient: 'p' });
    await expect(workbench.rows().first()).toBeVisible();
    await page.getByRole('button', { name: 'Replace in all results' }).click();
    const quality = new QualityPage(page);
    await quality.dryRun('/status', 'active');
    await quality.sheet.getByRole('button', { name: 'Replace in 24 records' }).click();
    await expect(quality.sheet.getByText(/^Replacing: 6 of 24/)).toBeVisible();
    await quality.sheet.getByRole('button', { name: 'Stop' }).click();
    await expect(quality.sheet.getByText('Stopped after 6 of 24; 18 left')).toBeVisible();
    hold();
    await expect(quality.sheet.getByText('Stopped after 10 of 24; 14 left')).toBeVisible();
    await expect(workbench.status).toContainText('Stopped after 10 of 24');

    await page.reload();
    await quality.open();
    await page.getByRole('button', { name: /^Open bulk run/ }).click();
    await expect(quality.sheet.getByText('Stopped after 10 of 24; 14 left')).toBeVisible();
    await quality.sheet.getByRole('button', { name: 'Resume' }).click();
    await expect(quality.sheet.getByText('Replaced in 24 records')).toBeVisible();
    for (const id of ids) {
      expect(await readRecord(server, `CarePlan/${id}`)).toMatchObject({
        status: 'active',
        meta: { versionId: '2' },
      });
    }
  },
);

test('a run is undone; an undo that is cut off in the middle goes on; what was changed since is named and left @long', async ({
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
  await page.getByRole('button', { name: 'Replace in all results' }).click();
  const quality = new QualityPage(page);
  await quality.dryRun('/status', 'active');
  await quality.sheet.getByRole('button', { name: 'Replace in 12 records' }).click();
  await expect(quality.sheet.getByText('Replaced in 12 records')).toBeVisible();
  await patchRecord(server, 'CarePlan/u11', '/status', 'on-hold');

  // Four are put back, and then the page is gone before the next answers.
  let sent = 0;
  await page.route('**/put-back', async (route) => {
    if (++sent > 4) return;
    await route.continue();
  });
  await quality.sheet.getByRole('button', { name: 'Undo run' }).click();
  await quality.sheet.getByRole('button', { name: 'Undo in 12 records' }).click();
  const undo = page.getByRole('dialog', { name: 'Undo of a run' });
  await expect(undo.getByText(/^Putting back: 4 of 12/)).toBeVisible();
  await page.reload();
  await page.unroute('**/put-back');
  await quality.open();
  await page.getByRole('button', { name: /^Open bulk run Undo of/ }).click();
  await expect(undo.getByText(/^Stopped after [0-4] of 12/)).toBeVisible();
  await undo.getByRole('button', { name: 'Resume' }).click();
  await expect(undo.getByText('Put back 11 records')).toBeVisible();
  const rows = undo.getByRole('grid', { name: 'Records' }).getByRole('row');
  await expect(rows.filter({ hasText: 'Changed since' })).toContainText(['Plan u11']);
  for (const id of ids.slice(0, 11)) {
    expect(await readRecord(server, `CarePlan/${id}`)).toMatchObject({
      status: 'draft',
      meta: { versionId: '3' },
    });
  }
  expect(await readRecord(server, 'CarePlan/u11')).toMatchObject({ status: 'on-hold' });
  await undo.getByRole('button', { name: 'Open the run' }).click();
  await expect(quality.sheet.getByText('This run was undone in 11 records.')).toBeVisible();
  await quality.sheet.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Bulk runs' })).toContainText('Undone in 11 of 12');
});
