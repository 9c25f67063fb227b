import { expectAccessible } from './axe.ts';
import { DataPage } from './data-page.ts';
import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { planText, readPlan, RecordPage, storePlan } from './record-page.ts';
import { ofFolderAlone, patchRecord } from './server.ts';

ofFolderAlone(test, 'backups');

test('a backup is made and restored: the records are as they were, what was there is kept aside @long', async ({
  workbench,
  page,
  server,
}) => {
  test.slow();
  const id = await storePlan(server);
  const data = new DataPage(page);
  await data.open('Backups');
  await expect(page.getByText('No backup has been made yet.')).toBeVisible();
  await expectAccessible(page);
  await data.button('Back up now').click();
  const rows = page.getByRole('table', { name: 'Backups' }).getByRole('row');
  await expect(rows.nth(1)).toContainText('Asked for');
  await expect(workbench.status).toContainText('Backed up the records: ');

  await patchRecord(server, `CarePlan/${id}`, '/title', 'Spoiled');
  const record = new RecordPage(page);
  await record.open();
  await expect(record.editor).toContainText('Spoiled');

  await data.open('Backups');
  await rows
    .nth(1)
    .getByRole('button', { name: /^Restore / })
    .click();
  const question = page.getByRole('dialog', { name: 'Restore a backup' });
  await expect(question).toContainText('kept aside as a backup first');
  await expect(question.getByRole('button', { name: 'Keep records as they are' })).toBeFocused();
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
  await expect(workbench.status).toContainText(/^Restored .* are kept as /);
  expect(await readPlan(server, id)).toMatch(/"versionId":"1"[^]*"Exact"/);
  await expect(rows.nth(1)).toContainText('Before a restore');
  await expectAccessible(page);

  // The way back is the same way.
  await rows
    .nth(1)
    .getByRole('button', { name: /^Restore / })
    .click();
  await question.getByRole('button', { name: 'Back up and restore' }).click();
  await expect(question).toBeHidden();
  expect(await readPlan(server, id)).toContain('Spoiled');
});

test('the commands make a backup and ask before the newest is restored @long', async ({
  workbench,
  page,
  server,
}) => {
  await storePlan(server);
  const frame = new Frame(page);
  await frame.run('Restore a backup');
  await expect(workbench.status).toContainText('There is no backup to restore.');
  await frame.run('Back up now');
  await expect(workbench.status).toContainText('Backed up the records: ');
  await frame.run('Restore a backup');
  await expect(page.getByRole('dialog', { name: 'Restore a backup' })).toBeVisible();
});

test('what the server says of a backup that fails stands there @long', async ({ workbench: _, page }) => {
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
  await expect(page.getByRole('alert')).toContainText('No backup was made.');
  await expect(page.getByRole('alert')).toContainText('The disk is full.');
  // The list is read anew with the view, which says where it cannot be.
  await page.reload();
  await data.open('Backups');
  await expect(page.getByText('The backups could not be read.')).toBeVisible();
  await page.unroute('**/app/backups');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(data.button('Back up now')).toBeVisible();
});

test(
  'open tabs follow a restore: read anew, unless they hold text that is not saved, which stays and says so',
  { tag: '@long' },
  async ({ workbench, page, server }) => {
    test.slow();
    const [frame, record, data] = [new Frame(page), new RecordPage(page), new DataPage(page)];
    const store = (title: string) => storePlan(server, planText.replace('"Exact"', `"${title}"`));
    const kept = { read: await store('Read'), edited: await store('Edited') };
    await data.open('Backups');
    await data.button('Back up now').click();
    await expect(workbench.status).toContainText('Backed up the records: ');
    for (const id of Object.values(kept)) {
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

    await frame.run('Restore a backup');
    const question = workbench.dialog('Restore a backup');
    await question.getByRole('button', { name: 'Back up and restore' }).click();
    await expect(question).toBeHidden();
    await expect(workbench.status).toContainText(/^Restored /);

    await frame.tab('Read').first().click();
    await expect(record.editor).toContainText('As agreed');
    await expect(record.editor).not.toContainText('Spoiled');
    await frame.tab('New, read').click();
    await expect(page.getByRole('main').getByText('The record was not read.')).toBeVisible();

    const notice = page.locator('#panel-record').getByRole('alert');
    await frame.tab('New, edited').click();
    await expect(notice).toContainText('The record is no longer on the server.');
    await expect(record.editor).toContainText('3.50');
    await frame.tab('Edited').first().click();
    await expect(notice).toContainText('The server holds version 1 of this record now.');
    await expect(notice).toContainText('Your text, made on version 2, is kept here');
    await expect(record.editor).toContainText('2.50');
    await workbench.reviewAndSave();
    await expect(record.review).toContainText('your changes are brought together below');
    await expect(notice).toHaveCount(0);
    await record.save();
    await expect(workbench.status).toContainText('Saved version ');
    expect(await readPlan(server, kept.edited)).toMatch(/"As agreed"[^]*2\.50/);
  },
);
