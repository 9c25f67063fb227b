import { expectAccessible } from './axe.ts';
import { DataPage } from './data-page.ts';
import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { planText, readPlan, RecordPage, storePlan } from './record-page.ts';
import { skipOnSharedStore, patchRecord } from './server.ts';

skipOnSharedStore(test, 'backups');

test('creates and restores a backup, and keeps the replaced records @backup', async ({
  workbench,
  page,
  server,
}) => {
  test.slow();
  const id = await storePlan(server);
  const data = new DataPage(page);
  await data.open('Backups');
  await expect(page.getByText('No backups yet.')).toBeVisible();
  await expectAccessible(page);
  await data.button('Back up now').click();
  const rows = page.getByRole('table', { name: 'Backups' }).getByRole('row');
  await expect(rows.nth(1)).toContainText('Manual');
  await expect(workbench.status).toContainText('Backup records-');

  await patchRecord(server, `CarePlan/${id}`, '/title', 'Spoiled');
  const record = new RecordPage(page);
  await record.open();
  await expect(record.editor).toContainText('Spoiled');

  await data.open('Backups');
  await rows
    .nth(1)
    .getByRole('button', { name: /^Restore / })
    .click();
  const question = page.getByRole('dialog', { name: 'Restore this backup?' });
  await expect(question).toContainText('The current records are backed up first.');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  expect(await readPlan(server, id)).toContain('Spoiled');

  await rows
    .nth(1)
    .getByRole('button', { name: /^Restore / })
    .click();
  await question.getByRole('button', { name: 'Back up and restore' }).click();
  await expect(question).toBeHidden();
  await expect(workbench.status).toContainText(/ restored\. The previous records were backed up as /);
  expect(await readPlan(server, id)).toMatch(/"versionId":"1"[^]*"Exact"/);
  await expect(rows.nth(1)).toContainText('Before restore');
  await expectAccessible(page);

  // Restoring the replaced records works in the same way.
  await rows
    .nth(1)
    .getByRole('button', { name: /^Restore / })
    .click();
  await question.getByRole('button', { name: 'Back up and restore' }).click();
  await expect(question).toBeHidden();
  expect(await readPlan(server, id)).toContain('Spoiled');
});

test('creates a backup by command, and asks before restoring the latest one @backup', async ({
  workbench,
  page,
  server,
}) => {
  await storePlan(server);
  const frame = new Frame(page);
  await frame.run('Restore backup…');
  await expect(workbench.status).toContainText('There are no backups to restore.');
  await frame.run('Back up now');
  await expect(workbench.status).toContainText('Backup records-');
  await frame.run('Restore backup…');
  await expect(page.getByRole('dialog', { name: 'Restore this backup?' })).toBeVisible();
});

test("shows the server's message for a failed backup @backup", async ({ workbench: _, page }) => {
  const data = new DataPage(page);
  await data.open('Backups');
  await page.route('**/app/backups', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 507,
          contentType: 'application/json',
          body: '{"resourceType":"OperationOutcome","issue":[{"severity":"error","code":"no-store","details":{"text":"The disk is full."}}]}',
        })
      : route.abort(),
  );
  await data.button('Back up now').click();
  await expect(page.getByRole('alert')).toContainText('Couldn’t create a backup.');
  await expect(page.getByRole('alert')).toContainText('The disk is full.');
  // A reload reads the list again, and reports if that fails.
  await page.reload();
  await data.open('Backups');
  await expect(page.getByText('Couldn’t load the backups.')).toBeVisible();
  await page.unroute('**/app/backups');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(data.button('Back up now')).toBeVisible();
});

test(
  'reloads open tabs after a restore, except tabs with unsaved text, which are marked',
  { tag: '@backup' },
  async ({ workbench, page, server }) => {
    test.slow();
    const [frame, record, data] = [new Frame(page), new RecordPage(page), new DataPage(page)];
    const store = (title: string) => storePlan(server, planText.replace('"Exact"', `"${title}"`));
    const ids = { read: await store('Read'), edited: await store('Edited') };
    await data.open('Backups');
    await data.button('Back up now').click();
    await expect(workbench.status).toContainText('Backup records-');
    for (const id of Object.values(ids)) {
      await patchRecord(server, `CarePlan/${id}`, '/description', 'Spoiled');
      await frame.openById(id);
      await expect(record.editor).toContainText('Spoiled');
    }
    await workbench.replaceInEditor('"value": 1.00', '"value": 2.50');
    for (const id of [await store('New, read'), await store('New, edited')]) {
      await frame.openById(id);
      await expect(record.editor).toContainText('"New, ');
      await expect(record.editor).toContainText(id);
    }
    await workbench.replaceInEditor('"value": 1.00', '"value": 3.50');

    await frame.run('Restore backup…');
    const question = workbench.dialog('Restore this backup?');
    await question.getByRole('button', { name: 'Back up and restore' }).click();
    await expect(question).toBeHidden();
    await expect(workbench.status).toContainText(/ restored\. The previous records were backed up as /);

    await frame.tab('Read').first().click();
    await expect(record.editor).toContainText('As agreed');
    await expect(record.editor).not.toContainText('Spoiled');
    await frame.tab('New, read').click();
    await expect(page.getByRole('main').getByText('Couldn’t load the record.')).toBeVisible();

    const banner = page.locator('#panel-record').getByRole('alert');
    await frame.tab('New, edited').click();
    await expect(banner).toContainText('This record no longer exists on the server.');
    await expect(record.editor).toContainText('3.50');
    await frame.tab('Edited').first().click();
    await expect(banner).toContainText('Version 1 is now on the server.');
    await expect(banner).toContainText('Your changes, based on version 2, are kept.');
    await expect(record.editor).toContainText('2.50');
    await workbench.reviewAndSave();
    await expect(record.review).toContainText('merged with yours');
    await expect(banner).toHaveCount(0);
    await record.save();
    await expect(workbench.status).toContainText('Saved version ');
    expect(await readPlan(server, ids.edited)).toMatch(/"As agreed"[^]*2\.50/);
  },
);
