/**
 * WCAG 2.2 AA for everything that appears during work: sheets, prompts, results, rejections; in light and
 * dark.
 */
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { DataPage } from './data-page.ts';
import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { change, overlap } from './overlap.ts';
import { PatchPage } from './patch-page.ts';
import { importDirty, QualityPage } from './quality-page.ts';
import { RecordPage, storePlan } from './record-page.ts';
import { Connections } from './remote-page.ts';
import { SearchPage } from './search-page.ts';
import { loadSet, skipOnSharedStore, patchRecord, type TestServer } from './server.ts';
import type { Workbench } from './workbench.ts';

test.use({ flags: ['--demo'] });

interface Desk {
  readonly workbench: Workbench;
  readonly page: Page;
  readonly server: TestServer;
}

const patient = 'demo-patient-089';

const faces: Readonly<Record<string, (desk: Desk) => Promise<void>>> = {
  'the patch composer': async ({ workbench, page }) => {
    await openRecord(workbench);
    const patch = new PatchPage(page);
    await patch.open();
    await patch.path().fill('/title');
    await patch.value().fill('Another title');
    await expect(patch.preview).toContainText('Another title');
    await patch.add('/period/start', 2);
    await patch.value(2).fill('2024-13');
    await expect(patch.row(2)).toContainText('Enter YYYY, YYYY-MM, YYYY-MM-DD');
  },
  'the JSON of a patch': async ({ workbench, page }) => {
    await openRecord(workbench);
    const patch = new PatchPage(page);
    await patch.open();
    await patch.show('JSON');
    await expect(patch.body).toBeVisible();
  },
  'the question for an id to patch': async ({ page }) => {
    await new Frame(page).run('Patch a record by ID');
    await expect(page.getByRole('dialog', { name: 'Patch a record by ID' })).toBeVisible();
  },
  'the history sheet': async ({ workbench, page, server }) => {
    const id = await storePlan(server);
    await patchRecord(server, `CarePlan/${id}`, '/title', 'Exact 2');
    await new RecordPage(page).open();
    await page.getByRole('tab', { name: 'History' }).click();
    const versions = page.getByRole('listbox', { name: 'Versions' });
    await versions.focus();
    for (const key of ['Space', 'End', 'Space', 'Enter']) await page.keyboard.press(key);
    const sheet = page.getByRole('dialog', { name: /^History of/ });
    await expect(sheet.getByRole('region', { name: 'Changes', exact: true })).toContainText('Exact 2');
    await expect(workbench.status).toBeAttached();
  },
  'the conflict sheet': async ({ workbench, page, server }) => {
    await overlap(workbench, page, server);
  },
  'the question before mine is discarded': async ({ workbench, page, server }) => {
    const { record } = await overlap(workbench, page, server);
    await record.otherWay('Discard mine');
    await expect(page.getByRole('button', { name: 'Discard my changes' })).toBeVisible();
  },
  'the notice of a draft, and its comparison': async ({ workbench, page, server }) => {
    const id = await storePlan(server);
    const record = new RecordPage(page);
    await record.open();
    await workbench.replaceInEditor('"title": "Exact"', '"title": "Drafted"');
    await record.draftSaved();
    await change(server, id, { status: 'on-hold' });
    await page.reload();
    await expect(record.drafts).toBeVisible();
    await expectAccessible(page);
    await record.drafts.getByRole('button', { name: 'Compare' }).click();
    await expect(page.getByRole('dialog', { name: 'Draft of Exact' })).toContainText('Drafted');
  },
  'the issues of a record': async ({ workbench, page }) => {
    await openRecord(workbench);
    await page.getByRole('tab', { name: /^Issues/ }).click();
    await expect(page.getByRole('tab', { name: /^Issues/ })).toHaveAttribute('aria-selected', 'true');
  },
  'the question before edits are lost': async ({ workbench, page }) => {
    await openRecord(workbench);
    await workbench.replaceInEditor('"title": "', '"title": "Mine: ');
    await page.keyboard.press('Alt+W');
    await expect(page.getByRole('dialog')).toBeVisible();
  },
  'a check of one’s own, tried': async ({ page }) => {
    await new QualityPage(page).open();
    await page.getByRole('button', { name: 'Custom checks' }).click();
    const sheet = page.getByRole('dialog', { name: 'Custom checks' });
    await sheet
      .getByRole('textbox', { name: 'Must be true' })
      .fill('title.exists() and activity.count() > 2');
    await sheet.getByRole('button', { name: 'Test on 1,000 records' }).click();
    await expect(sheet.getByText(/^Tested on/)).toBeVisible();
  },
  'the bulk sheet, before and after the dry run': async ({ page, server }) => {
    const quality = await brokenCodes(page, server);
    await page.getByRole('button', { name: 'Bulk edit', exact: true }).click();
    await expect(quality.sheet).toBeVisible();
    await expectAccessible(page);
    await quality.dryRun('/status', 'active', 'actve');
    await expect(quality.targets('Plan a')).toContainText('Would change');
    await expectAccessible(page);
    await quality.sheet.getByRole('button', { name: 'Change 1 record' }).click();
    await expect(quality.sheet.getByText('1 record changed')).toBeVisible();
    await expectAccessible(page);
    await quality.sheet.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(quality.sheet.getByRole('button', { name: 'Undo 1 record' })).toBeVisible();
  },
  'the worklist of a migration': async ({ page, server }) => {
    await loadSet(server, 'migration');
    await page.reload();
    const quality = new QualityPage(page);
    await quality.open();
    await expect(quality.findings().first()).toBeVisible();
    await expectAccessible(page);
    await quality.rule('schema-code').click();
    await expect(quality.findings().first()).toContainText('Open');
    await expectAccessible(page);
    await page.getByLabel('Rule, title, ID, patient or path').fill('no such thing');
    await expect(page.getByText('No issues match the filter.')).toBeVisible();
  },
  'training data, planted defects and the question before a reset': async ({ page, server }) => {
    skipOnSharedStore(test, 'training data');
    await loadSet(server, 'migration');
    const data = new DataPage(page);
    await data.open('Training data');
    await data.button('Show planted defects').click();
    await expect(page.getByRole('region', { name: 'Planted defects by record' })).toBeVisible();
    await expectAccessible(page);
    await data.button('Delete all records').click();
    await expect(page.getByRole('dialog', { name: 'Delete all records?' })).toContainText('will be deleted');
  },
  'the busy ward at work': async ({ page }) => {
    skipOnSharedStore(test, 'training data');
    const data = new DataPage(page);
    await data.open('Training data');
    await data.load('Busy ward');
    await expect(page.getByRole('region', { name: 'Busy ward' })).toContainText('Running');
  },
  'files to import, a dry run and an import': async ({ workbench, page }) => {
    const data = new DataPage(page);
    await data.open('Import');
    const plan = (status: string) =>
      `{"resourceType":"CarePlan","status":"${status}","intent":"plan","title":"In","subject":{"reference":"Patient/p"}}`;
    const lines = [plan('active'), 'no JSON', '{"resourceType":"Patient"}', plan('x')];
    await data.choose({ name: 'a.ndjson', text: lines.join('\n') }, { name: 'notes.pdf', text: 'x' });
    await expectAccessible(page);
    await data.button('Start dry run').click();
    await expect(workbench.status).toContainText('Nothing was stored.');
    await expectAccessible(page);
    await expect(page.getByText('Skipped 1 file: .pdf 1.')).toBeVisible();
    await data.button('Import 1 record').click();
    await expect(data.outcomeRows(/\dStored/)).toHaveCount(1);
  },
  'the export': async ({ page }) => {
    await new DataPage(page).open('Export');
    await expect(page.getByRole('button', { name: 'Export NDJSON' })).toBeVisible();
  },
  'settings as files, and what an import would do': async ({ page }) => {
    const data = new DataPage(page);
    await data.open('Settings files');
    await expectAccessible(page);
    const files = [
      { path: 'chartkeeper.json', text: '{"format": "chartkeeper-settings", "version": 1}' },
      { path: 'settings.json', text: '{"density": "comfortable"}' },
      { path: 'columns.json', text: '{"shown": "all"}' },
    ];
    const chooser = page.waitForEvent('filechooser');
    await data.button('Choose settings file').click();
    const buffer = Buffer.from(JSON.stringify({ files }));
    await (await chooser).setFiles({ name: 'settings.json', mimeType: 'application/json', buffer });
    const outcome = page.getByRole('region', { name: 'Result by file' });
    for (const outcomeText of ['Changed', 'Refused']) await expect(outcome).toContainText(outcomeText);
  },
  'a connection with a proxy and a client certificate, and the list of connections': async ({ page }) => {
    const connections = new Connections(page);
    const { dialog } = connections;
    await connections.startAdding({
      name: 'Ward',
      baseUrl: 'https://fhir.example.org',
      writes: 'Ask before each write',
      choices: {
        Environment: 'Production',
        Proxy: 'Custom proxy',
        'Client certificate': 'PEM: certificate and key',
      },
      fields: { 'Proxy address': 'proxy.example.org', 'Certificate file': '/no/such/file.pem' },
    });
    await dialog.getByRole('button', { name: 'Save connection' }).click();
    await expect(dialog.getByLabel('Proxy address')).toHaveAttribute('aria-invalid', 'true');
    await expectAccessible(page);
    await connections.fill({
      name: 'Ward',
      baseUrl: 'https://fhir.example.org',
      fields: { 'Proxy address': 'http://proxy.example.org:3128' },
    });
    await dialog.getByLabel('Client certificate').selectOption('None');
    await connections.save();
    await connections.worksOn('Ward');
    await expect(connections.switcher).toContainText('Production');
    await connections.openMenu();
    await expect(page.getByRole('menuitem', { name: 'Duplicate connection Ward' })).toBeVisible();
  },
  'a token created, shown, listed and about to be revoked': async ({ page }) => {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Access' }).click();
    await page.getByRole('button', { name: 'Create token' }).click();
    const form = page.getByRole('dialog', { name: 'Create token' });
    await form.getByLabel('Name').fill('ward import');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Create token' }).click();
    const createdDialog = page.getByRole('dialog', { name: 'Token ward import created' });
    await expect(createdDialog).toBeVisible();
    await expectAccessible(page);
    await createdDialog.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('row', { name: /ward import/ })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Revoke ward import' }).click();
    await expect(page.getByRole('dialog', { name: /^Revoke token/ })).toBeVisible();
  },
  'a refused search with further parameters': async ({ page }) => {
    const search = new SearchPage(page);
    await search.form.getByRole('combobox', { name: 'Resource type' }).selectOption('Composition');
    await search.narrow('status', { comparison: 'is not', value: 'final' });
    await search.narrow('date', { value: 'soon' });
    await search.submit.click();
    await expect(page.getByRole('alert')).toContainText('The parameter date must be a date');
  },
  'the menu of a row': async ({ workbench, page }) => {
    await workbench.search('CarePlan', { patient });
    await workbench.rows().first().click({ button: 'right' });
    await expect(page.getByRole('menu')).toBeVisible();
  },
  'the columns of the results': async ({ workbench, page }) => {
    await workbench.search('CarePlan', { patient });
    await expect(workbench.rows().first()).toBeVisible();
    await page.getByRole('button', { name: 'Columns' }).click();
    await expect(page.getByRole('menu').or(page.getByRole('dialog'))).toBeVisible();
  },
  'the name of a search to save': async ({ workbench, page }) => {
    await workbench.search('CarePlan', { patient });
    await new SearchPage(page).form.getByRole('button', { name: 'Save search' }).click();
    await expect(page.getByRole('textbox', { name: 'Search name' })).toBeVisible();
  },
  'the details of an entry and the question before activity is cleared': async ({ workbench, page }) => {
    await workbench.search('CarePlan', { patient });
    await expect(workbench.rows().first()).toBeVisible();
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Activity' }).click();
    const grid = page.getByRole('grid', { name: 'Activity' });
    await grid.getByRole('row').nth(1).click();
    await expect(page.getByRole('region', { name: 'Entry details' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Clear activity' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  },
};

for (const [name, show] of Object.entries(faces)) {
  test(
    `finds no axe violations in ${name}, light and dark`,
    { tag: '@accessibility' },
    async ({ workbench, page, server }) => {
      test.slow();
      await show({ workbench, page, server });
      await expectAccessible(page);
    },
  );
}

async function openRecord(workbench: Workbench): Promise<void> {
  await workbench.search('CarePlan', { patient });
  await workbench.openRow(workbench.rows().first());
}

/** Opens the worklist with the only record with an invalid status code. */
async function brokenCodes(page: Page, server: TestServer): Promise<QualityPage> {
  const plan = { resourceType: 'CarePlan', id: 'a', title: 'Plan a', status: 'actve', intent: 'plan' };
  await importDirty(server, [{ ...plan, subject: { reference: 'Patient/p' } }]);
  await page.reload();
  const quality = new QualityPage(page);
  await quality.open();
  await quality.rule('schema-code').click();
  return quality;
}
