/** The jobs of a steward with the keyboard only, in addition to search, edit and save in keyboard.spec.ts. */
import { ActivityPage } from './activity-page.ts';
import { DataPage } from './data-page.ts';
import { expect, test } from './fixtures.ts';
import { Keys } from './keys.ts';
import { change } from './overlap.ts';
import { PatchPage } from './patch-page.ts';
import { importDirty, QualityPage } from './quality-page.ts';
import { readPlan, RecordPage, storePlan } from './record-page.ts';
import { patchRecord, readRecord } from './server.ts';

test.slow();

test('composes and sends a patch with the keyboard only @keyboard', async ({ workbench, page, server }) => {
  const keys = new Keys(workbench);
  const id = await storePlan(server);
  await keys.openRecord(id);
  await keys.press('Control+Shift+P');
  const patch = new PatchPage(page);
  await expect(patch.dialog).toBeVisible();
  await keys.reach(patch.path());
  await keys.type('/title');
  await keys.reach(patch.value());
  await keys.press('Control+A');
  await keys.type('By keys');
  await keys.run(patch.dialog.getByRole('button', { name: 'Add operation' }));
  await keys.reach(patch.path(2));
  await keys.type('/status');
  await keys.reach(patch.value(2));
  await keys.type('comp');
  await expect(patch.value(2)).toHaveValue('completed');
  await keys.run(patch.apply);
  await expect(workbench.status).toContainText('Saved version 2');
  expect(JSON.parse(await readPlan(server, id))).toMatchObject({ title: 'By keys', status: 'completed' });
});

test('tests and runs a bulk replacement with the keyboard only @keyboard', async ({
  workbench,
  page,
  server,
}) => {
  const plan = { resourceType: 'CarePlan', id: 'a', title: 'A', status: 'actve', intent: 'plan' };
  await importDirty(server, [{ ...plan, subject: { reference: 'Patient/p' } }]);
  await page.reload();
  const keys = new Keys(workbench);
  const { sheet } = new QualityPage(page);
  await keys.openView(/^Quality/);
  await keys.run(page.getByRole('button', { name: 'Bulk edit', exact: true }));
  // With all findings, a quick fix is the first choice.
  await keys.reach(sheet.getByLabel('Change', { exact: true }));
  await keys.press('Home');
  await keys.reach(sheet.getByLabel('Path', { exact: true }));
  await keys.press('Control+A');
  await keys.type('/status');
  await keys.reach(sheet.getByLabel('Replace with', { exact: true }));
  await keys.type('active');
  await keys.run(sheet.getByRole('button', { name: 'Start dry run' }));
  await keys.run(sheet.getByRole('button', { name: 'Change 1 record' }));
  await expect(sheet.getByText('1 record changed')).toBeVisible();
  expect(await readRecord(server, 'CarePlan/a')).toMatchObject({ status: 'active' });
  await keys.run(sheet.getByRole('button', { name: 'Close', exact: true }));
  await expect(sheet).toBeHidden();
});

test('selects, tests and imports a file with the keyboard only @keyboard', async ({
  workbench,
  page,
  server,
}) => {
  const keys = new Keys(workbench);
  const data = new DataPage(page);
  await keys.openView('Data');
  const chooser = page.waitForEvent('filechooser');
  await keys.run(data.button('Choose files'));
  const text =
    '{"resourceType":"CarePlan","id":"in","status":"active","intent":"plan","subject":{"reference":"Patient/p"}}';
  await (await chooser).setFiles({ name: 'in.ndjson', mimeType: '', buffer: Buffer.from(text) });
  await keys.run(data.button('Start dry run'));
  await expect(workbench.status).toContainText('1 of 1 record would be stored.');
  await keys.run(data.button('Import 1 record'));
  await expect(workbench.status).toContainText('1 of 1 record stored.');
  expect((await readRecord(server, 'CarePlan?subject=p')).total).toBe(1);
});

test('exports records with the keyboard only @keyboard', async ({ workbench, page, server }) => {
  await storePlan(server);
  const keys = new Keys(workbench);
  await keys.openView('Data');
  // The code of the view is loaded when it is first opened: the tabs of the window are there before its own.
  const tabs = page.getByRole('tablist').filter({ has: page.getByRole('tab', { name: 'Export' }) });
  await keys.reach(tabs.getByRole('tab', { selected: true }));
  await keys.press('ArrowRight');
  await expect(tabs.getByRole('tab', { name: 'Batches' })).toHaveAttribute('aria-selected', 'true');
  await keys.press('ArrowRight');
  await expect(tabs.getByRole('tab', { name: 'Export' })).toHaveAttribute('aria-selected', 'true');
  const download = page.waitForEvent('download');
  await keys.run(page.getByRole('button', { name: 'Export NDJSON' }));
  expect((await download).suggestedFilename()).toMatch(/\.ndjson$/);
});

test('creates and revokes a token with the keyboard only @keyboard', async ({ workbench, page }) => {
  const keys = new Keys(workbench);
  await keys.openView('Access');
  await keys.run(page.getByRole('button', { name: 'Create token' }));
  const form = page.getByRole('dialog', { name: 'Create token' });
  await expect(form.getByLabel('Name')).toBeFocused();
  await keys.type('by keys');
  await keys.reach(form.getByRole('checkbox', { name: 'Update CarePlan' }));
  await keys.press('Space');
  await expect(form).toContainText('system/CarePlan.rus');
  await keys.run(form.getByRole('button', { name: 'Create token' }));
  const createdDialog = page.getByRole('dialog', { name: 'Token by keys created' });
  await keys.run(createdDialog.getByRole('button', { name: 'Done' }));
  await expect(createdDialog).toBeHidden();
  await keys.run(page.getByRole('button', { name: 'Revoke by keys' }));
  const question = page.getByRole('dialog', { name: 'Revoke token by keys?' });
  await keys.run(question.getByRole('button', { name: 'Revoke by keys' }));
  await expect(workbench.status).toContainText('Token by keys revoked');
});

test('repeats a search from the activity with the keyboard only @keyboard', async ({
  workbench,
  page,
  server,
}) => {
  await storePlan(server);
  const keys = new Keys(workbench);
  const patient = page.getByRole('textbox', { name: 'Patient' });
  await keys.press('Control+Shift+F');
  await expect(patient).toBeFocused();
  await keys.type('exact');
  await keys.press('Enter');
  await expect(workbench.rows().first()).toBeVisible();
  await keys.press('Control+Shift+F');
  await expect(patient).toBeFocused();
  await keys.press('Control+A');
  await keys.type('another');
  await keys.openView('Activity');
  const activity = new ActivityPage(page);
  await keys.reach(activity.grid.locator('[tabindex="0"]'));
  await keys.press('End', 'Enter');
  await expect(activity.details).toContainText('exact');
  await keys.run(activity.details.getByRole('button', { name: 'Repeat search' }));
  await expect(page.getByRole('textbox', { name: 'Patient' })).toHaveValue('exact');
});

test('restores a draft, and discards and restores another, with the keyboard only @keyboard', async ({
  workbench,
  page,
  server,
}) => {
  const keys = new Keys(workbench);
  const record = new RecordPage(page);
  const id = await storePlan(server);
  await keys.openRecord(id);
  await keys.replace('"title": "Exact"', '"title": "Drafted"');
  await record.draftSaved();
  // A draft on an older version is not restored automatically.
  await change(server, id, { status: 'on-hold' });
  await page.reload();
  await expect(record.drafts).toBeVisible();
  // Leaves the editor, in which Tab is a character.
  await keys.press('F6');
  await keys.run(record.drafts.getByRole('button', { name: 'Discard draft' }));
  await keys.run(page.getByRole('button', { name: 'Discard draft of Exact' }));
  await keys.run(record.drafts.getByRole('button', { name: 'Undo' }));
  await keys.run(record.drafts.getByRole('button', { name: 'Restore draft' }));
  await expect(workbench.editor).toContainText('Drafted');
});

test('compares two versions and restores the first with the keyboard only @keyboard', async ({
  workbench,
  page,
  server,
}) => {
  const keys = new Keys(workbench);
  const id = await storePlan(server);
  await patchRecord(server, `CarePlan/${id}`, '/title', 'Second');
  await patchRecord(server, `CarePlan/${id}`, '/title', 'Third');
  await keys.openRecord(id);
  await keys.press('Control+Shift+H');
  const sheet = page.getByRole('dialog', { name: /^History of/ });
  await expect(sheet.getByRole('listbox', { name: 'Versions' })).toBeFocused();
  await keys.press('Space', 'End', 'Space');
  const difference = sheet.getByRole('region', { name: 'Changes', exact: true });
  await expect(difference).toContainText('Exact');
  await expect(difference).toContainText('Third');
  await keys.run(sheet.getByRole('button', { name: 'Restore version 1' }));
  await keys.confirmSave();
  await expect(workbench.status).toContainText('Saved version 4');
  expect(JSON.parse(await readPlan(server, id))).toMatchObject({ title: 'Exact' });
});

test('selects a finding by its rule and fixes it with the keyboard only @keyboard', async ({
  workbench,
  page,
  server,
}) => {
  const plan = { resourceType: 'CarePlan', title: 'A', intent: 'plan', subject: { reference: 'Patient/p' } };
  await importDirty(server, [
    { ...plan, id: 'typo', status: 'actve' },
    { ...plan, id: 'bare' },
  ]);
  await page.reload();
  const keys = new Keys(workbench);
  const quality = new QualityPage(page);
  await keys.openView(/^Quality/);
  await keys.reach(page.getByRole('listbox', { name: 'Rules' }).getByRole('option', { selected: true }));
  const rule = quality.rule('schema-code');
  await keys.frame.pressUntilFocused('ArrowDown', rule);
  await expect(quality.findings()).toHaveCount(1);
  await keys.reach(quality.findings().first());
  await keys.press('Enter');
  await expect(workbench.editor.locator('.monaco-editor.focused')).toBeVisible();
  // Opened at the element, which is not in the first line.
  await expect(page.getByRole('contentinfo')).toContainText(/Ln (?!1,)\d/);
  await keys.press('ArrowRight');
  await keys.replace('"actve"', '"active"');
  await keys.save();
  await expect(workbench.status).toContainText('Saved version 2');
  expect(await readRecord(server, 'CarePlan/typo')).toMatchObject({ status: 'active' });
});

test(
  'resolves a conflict path by path, and edits its merged text, with the keyboard only',
  { tag: '@keyboard' },
  async ({ workbench, page, server }) => {
    const keys = new Keys(workbench);
    const { conflict } = new RecordPage(page);
    const id = await storePlan(server);
    await keys.openRecord(id);
    await keys.replace('"title": "Exact"', '"title": "Mine"');
    await change(server, id, { title: 'Theirs', status: 'on-hold' });
    await keys.save();
    await expect(conflict).toBeVisible();
    const title = conflict.getByRole('radiogroup', { name: 'Choice for /title' });
    await keys.frame.pressUntilFocused('Tab', title.getByRole('radio', { name: 'Mine' }));
    await keys.press('ArrowRight');
    await expect(title.getByRole('radio', { name: 'Theirs' })).toBeChecked();
    await keys.reach(conflict.getByRole('textbox', { name: 'Result, based on version 2' }));
    await keys.press('Control+Home', 'ArrowRight');
    await keys.type('"language": "en",');
    await keys.run(conflict.getByRole('button', { name: 'Review merged text' }));
    await keys.confirmSave();
    await expect(workbench.status).toContainText('Saved version 3');
    expect(JSON.parse(await readPlan(server, id))).toMatchObject({
      language: 'en',
      title: 'Theirs',
      status: 'on-hold',
    });
  },
);
