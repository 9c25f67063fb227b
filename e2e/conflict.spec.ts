import { expect, test } from './fixtures.ts';
import { openWindow } from './offline.ts';
import { change, chooseMine, overlap } from './overlap.ts';
import { readDraftTexts, openPlan, readPlan, RecordPage, storePlan } from './record-page.ts';
import { makeDataDir, removeDataDir, startTestServer } from './server.ts';
import { Workbench } from './workbench.ts';

test('merges and saves non-overlapping changes of two windows @conflict', async ({
  workbench,
  page,
  server,
  browser,
}) => {
  const id = await storePlan(server);
  const ourRecord = new RecordPage(page);
  await ourRecord.open();
  const otherPage = await openWindow(browser);
  const theirRecord = new RecordPage(otherPage);
  const otherWorkbench = new Workbench(otherPage);
  await otherWorkbench.open(await server.link());
  await theirRecord.open();

  await otherWorkbench.replaceInEditor('"description": "Walk"', '"description": "Swim"');
  await theirRecord.startReview();
  await theirRecord.save();
  await expect(otherWorkbench.status).toContainText('Saved version 2');

  await workbench.replaceInEditor('"title": "Exact"', '"title": "Mine"');
  await ourRecord.startReview();
  await ourRecord.save();
  await expect(ourRecord.review).toContainText('saved version 2');
  await expect(ourRecord.review).toContainText('as version 3 to Local');
  expect(await readPlan(server, id)).not.toContain('Mine');
  await ourRecord.save();
  await expect(workbench.status).toContainText('Saved version 3');
  const storedText = await readPlan(server, id);
  for (const expectedText of ['"Mine"', '"Swim"', '1.00', '12345678901234567890.10'])
    expect(storedText).toContain(expectedText);
  await otherPage.close();
});

test('resolves overlapping changes path by path, and merges the others @conflict', async ({
  workbench,
  page,
  server,
}) => {
  const { record, id } = await openPlan(page, server);
  await workbench.replaceInEditor('"title": "Exact"', '"title": "Mine"');
  await workbench.replaceInEditor('"description": "As agreed"', '"description": "As I say"');
  await change(server, id, { title: 'Theirs', status: 'on-hold' });

  await record.startReview();
  await record.save();
  const { conflict } = record;
  await expect(conflict).toContainText('owner saved version 2');
  await expect(
    conflict.getByRole('row', { name: '/status' }).getByRole('radio', { name: 'Theirs' }),
  ).toBeChecked();
  const title = conflict.getByRole('radiogroup', { name: 'Choice for /title' });
  await expect(title.getByRole('radio', { checked: true })).toHaveCount(0);
  await expect(title.getByRole('radio', { name: 'Both' })).toHaveCount(0);
  await expect(conflict.getByRole('button', { name: 'Review merged text' })).toBeDisabled();
  await title.getByText('Theirs').click();
  await conflict.getByRole('button', { name: 'Review merged text' }).click();
  await record.save();
  await expect(workbench.status).toContainText('Saved version 3');
  expect(JSON.parse(await readPlan(server, id))).toMatchObject({
    title: 'Theirs',
    status: 'on-hold',
    description: 'As I say',
  });
});

test(
  'edits the merged text in the sheet before the review',
  { tag: '@conflict' },
  async ({ workbench, page, server }) => {
    const { record, id } = await overlap(workbench, page, server);
    const { conflict } = record;
    const mergedEditor = conflict.getByRole('textbox', { name: 'Result, based on version 2' });
    const review = conflict.getByRole('button', { name: 'Review merged text' });
    const choice = conflict.getByRole('radiogroup', { name: 'Choice for /title' }).getByRole('radio').last();
    await chooseMine(record);
    await mergedEditor.focus();
    for (const key of ['Control+Home', 'ArrowRight']) await page.keyboard.press(key);
    await page.keyboard.type('"language": "en"');
    await expect(conflict.getByRole('status')).toContainText('The merged result isn’t valid JSON yet.');
    await expect(review).toBeDisabled();
    await expect(choice).toBeDisabled();
    await conflict.getByRole('button', { name: 'Undo edits' }).click();
    await expect(choice).toBeEnabled();
    await mergedEditor.focus();
    for (const key of ['Control+Home', 'ArrowRight']) await page.keyboard.press(key);
    await page.keyboard.type('"language": "en",');
    await expect(conflict.getByRole('status')).toContainText('You edited the merged result.');
    await review.click();
    await record.save();
    await expect(workbench.status).toContainText('Saved version 3');
    expect(JSON.parse(await readPlan(server, id))).toMatchObject({
      language: 'en',
      title: 'Mine',
      status: 'on-hold',
    });
  },
);

test('keeps text edited in the sheet as a draft on their version over a reload @conflict', async ({
  workbench,
  page,
  server,
}) => {
  const { record, id } = await overlap(workbench, page, server);
  await chooseMine(record);
  await record.conflict.getByRole('textbox', { name: 'Result, based on version 2' }).focus();
  for (const key of ['Control+Home', 'ArrowRight']) await page.keyboard.press(key);
  await page.keyboard.type('"language": "en",');
  await expect.poll(() => readDraftTexts(server)).toEqual([expect.stringContaining('"language": "en",')]);
  await page.reload();
  await expect(workbench.status).toContainText('were restored. Discard goes back to version 2');
  await expect(record.editor).toContainText('"language"');
  await record.startReview();
  await record.save();
  await expect(workbench.status).toContainText('Saved version 3');
  expect(JSON.parse(await readPlan(server, id))).toMatchObject({ language: 'en', status: 'on-hold' });
});

test('continues the merge in the editor @conflict', async ({ workbench, page, server }) => {
  const { record, id } = await overlap(workbench, page, server);
  await record.otherWay('Continue in editor');
  await workbench.replaceInEditor('"title": "Mine"', '"title": "Ours"');
  await record.startReview();
  await expect(record.review).toContainText('as version 3 to Local');
  await record.save();
  await expect(workbench.status).toContainText('Saved version 3');
  expect(JSON.parse(await readPlan(server, id)).title).toBe('Ours');
});

test('lists the changes that overwriting undoes, and sends it for the new version @conflict', async ({
  workbench,
  page,
  server,
}) => {
  const { record, id } = await overlap(workbench, page, server);
  await record.otherWay('Overwrite version 2');
  await expect(record.review).toContainText('Saving overwrites version 2');
  const { head } = await record.shownRequest();
  expect(head).toContain('If-Match: W/"2"');
  await record.save();
  await expect(workbench.status).toContainText('Saved version 3');
  expect(JSON.parse(await readPlan(server, id))).toMatchObject({ title: 'Mine', status: 'active' });
});

test('asks before discarding local changes, and opens their version @conflict', async ({
  workbench,
  page,
  server,
}) => {
  const { record, id } = await overlap(workbench, page, server);
  await record.otherWay('Discard mine');
  await page.getByRole('button', { name: 'Discard my changes' }).click();
  await expect(workbench.editor).toContainText('Theirs');
  await expect(page.getByRole('button', { name: 'Review changes' })).toBeDisabled();
  expect(JSON.parse(await readPlan(server, id)).title).toBe('Theirs');
  await expect(record.drafts).toBeHidden();
});

test(
  'keeps local changes as a draft, and restores them onto their base version',
  { tag: '@conflict' },
  async ({ workbench, page, server }) => {
    const { record, id } = await overlap(workbench, page, server);
    await record.otherWay('Keep mine as draft');
    await expect(workbench.editor).toContainText('Theirs');
    await expect(record.drafts).toContainText('based on version 1');
    await record.drafts.getByRole('button', { name: 'Restore draft' }).click();
    await expect(workbench.editor).toContainText('Mine');
    await record.startReview();
    await record.save();
    await expect(record.conflict).toBeVisible();
    await chooseMine(record);
    await record.conflict.getByRole('button', { name: 'Review merged text' }).click();
    await record.save();
    await expect(workbench.status).toContainText('Saved version 3');
    expect(JSON.parse(await readPlan(server, id))).toMatchObject({ title: 'Mine', status: 'on-hold' });
  },
);

test('resolves a conflict of a patch in the same way @conflict', async ({ workbench, page, server }) => {
  const { record, id } = await openPlan(page, server);
  await workbench.replaceInEditor('"title": "Exact"', '"title": "Mine"');
  await change(server, id, { status: 'on-hold' });
  await record.startReview();
  await record.review.getByRole('radio', { name: 'PATCH' }).check();
  await record.save();
  await expect(record.review).toContainText('saved version 2');
  await expect(record.review.getByRole('radio', { name: 'PATCH' })).toBeChecked();
  await record.save();
  await expect(workbench.status).toContainText('Saved version 3');
  expect(JSON.parse(await readPlan(server, id))).toMatchObject({ title: 'Mine', status: 'on-hold' });
});

test('keeps the text of a record that was removed from the server as a draft @conflict @browser', async ({
  page,
}) => {
  const dataDir = await makeDataDir();
  const server = await startTestServer(dataDir);
  await storePlan(server);
  const workbench = new Workbench(page);
  await workbench.open(await server.link());
  const record = new RecordPage(page);
  await record.open();
  await workbench.replaceInEditor('"title": "Exact"', '"title": "Mine"');
  await page.route('**/fhir-r4/v1/CarePlan/*', (route) =>
    route.fulfill({
      status: 410,
      contentType: 'application/json',
      body: '{"resourceType":"OperationOutcome","issue":[{"severity":"error","code":"deleted","details":{"text":"The record is deleted."}}]}',
    }),
  );
  await record.startReview();
  await record.save();
  await expect(record.review).toContainText('The record no longer exists on the server');
  await record.review.getByRole('button', { name: 'Keep editing' }).click();
  await expect(workbench.editor).toContainText('Mine');
  await server.stop();
  await removeDataDir(dataDir);
});
