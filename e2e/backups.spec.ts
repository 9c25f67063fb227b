import { expectAccessible } from './axe.ts';
import { DataPage } from './data-page.ts';
import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { readPlan, RecordPage, storePlan } from './record-page.ts';
import { patchRecord } from './server.ts';

test('a backup is made and restored: the records are as they were, what was there is kept aside', async ({
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

test('the commands make a backup and ask before the newest is restored', async ({
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

test('what the server says of a backup that fails stands there', async ({ workbench: _, page }) => {
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
