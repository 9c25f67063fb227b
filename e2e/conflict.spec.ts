import { expect, test } from './fixtures.ts';
import { openWindow } from './offline.ts';
import { change, chooseMine, overlap } from './overlap.ts';
import { draftTexts, openPlan, readPlan, RecordPage, storePlan } from './record-page.ts';
import { makeDataDir, removeDataDir, startTestServer } from './server.ts';
import { Workbench } from './workbench.ts';

test('two windows edit one record: changes that do not overlap are merged and saved @long', async ({
  workbench,
  page,
  server,
  browser,
}) => {
  const id = await storePlan(server);
  const mine = new RecordPage(page);
  await mine.open();
  const other = await openWindow(browser);
  const theirs = new RecordPage(other);
  const otherWorkbench = new Workbench(other);
  await otherWorkbench.open(await server.link());
  await theirs.open();

  await otherWorkbench.replaceInEditor('"description": "Walk"', '"description": "Swim"');
  await theirs.startReview();
  await theirs.save();
  await expect(otherWorkbench.status).toContainText('Saved version 2');

  await workbench.replaceInEditor('"title": "Exact"', '"title": "Mine"');
  await mine.startReview();
  await mine.save();
  await expect(mine.review).toContainText('Version 2 was saved by another client');
  await expect(mine.review).toContainText('as version 3 to Local');
  expect(await readPlan(server, id)).not.toContain('Mine');
  await mine.save();
  await expect(workbench.status).toContainText('Saved version 3');
  const stored = await readPlan(server, id);
  for (const kept of ['"Mine"', '"Swim"', '1.00', '12345678901234567890.10']) expect(stored).toContain(kept);
  await other.close();
});

test('changes that overlap are chosen path by path, and the rest is merged @long', async ({
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
  await expect(conflict).toContainText('Version 2 was saved by owner');
  await expect(
    conflict.getByRole('row', { name: '/status' }).getByRole('radio', { name: 'theirs' }),
  ).toBeChecked();
  const title = conflict.getByRole('radiogroup', { name: 'Choice for /title' });
  await expect(title.getByRole('radio', { checked: true })).toHaveCount(0);
  await expect(title.getByRole('radio', { name: 'both' })).toHaveCount(0);
  await expect(conflict.getByRole('button', { name: 'Review merged text' })).toBeDisabled();
  await title.getByText('theirs').click();
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
  'the merged text can be edited in the sheet before it is reviewed',
  { tag: '@long' },
  async ({ workbench, page, server }) => {
    const { record, id } = await overlap(workbench, page, server);
    const { conflict } = record;
    const merged = conflict.getByRole('textbox', { name: 'Version 2 with the merged changes' });
    const review = conflict.getByRole('button', { name: 'Review merged text' });
    const choice = conflict.getByRole('radiogroup', { name: 'Choice for /title' }).getByRole('radio').last();
    await chooseMine(record);
    await merged.focus();
    for (const key of ['Control+Home', 'ArrowRight']) await page.keyboard.press(key);
    await page.keyboard.type('"language": "en"');
    await expect(conflict.getByRole('status')).toContainText('The merged text is not valid JSON yet.');
    await expect(review).toBeDisabled();
    await expect(choice).toBeDisabled();
    await conflict.getByRole('button', { name: 'Undo edits' }).click();
    await expect(choice).toBeEnabled();
    await merged.focus();
    for (const key of ['Control+Home', 'ArrowRight']) await page.keyboard.press(key);
    await page.keyboard.type('"language": "en",');
    await expect(conflict.getByRole('status')).toContainText('was edited here');
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

test('text edited in the sheet is a draft on their version, which a reload does not lose @long', async ({
  workbench,
  page,
  server,
}) => {
  const { record, id } = await overlap(workbench, page, server);
  await chooseMine(record);
  await record.conflict.getByRole('textbox', { name: 'Version 2 with the merged changes' }).focus();
  for (const key of ['Control+Home', 'ArrowRight']) await page.keyboard.press(key);
  await page.keyboard.type('"language": "en",');
  await expect.poll(() => draftTexts(server)).toEqual([expect.stringContaining('"language": "en",')]);
  await page.reload();
  await expect(workbench.status).toContainText('is back; Discard returns to version 2');
  await expect(record.editor).toContainText('"language"');
  await record.startReview();
  await record.save();
  await expect(workbench.status).toContainText('Saved version 3');
  expect(JSON.parse(await readPlan(server, id))).toMatchObject({ language: 'en', status: 'on-hold' });
});

test('the merge can be gone on with in the editor @long', async ({ workbench, page, server }) => {
  const { record, id } = await overlap(workbench, page, server);
  await record.otherWay('Continue in editor');
  await workbench.replaceInEditor('"title": "Mine"', '"title": "Ours"');
  await record.startReview();
  await expect(record.review).toContainText('as version 3 to Local');
  await record.save();
  await expect(workbench.status).toContainText('Saved version 3');
  expect(JSON.parse(await readPlan(server, id)).title).toBe('Ours');
});

test('overwriting says what it undoes, and is sent on the new version @long', async ({
  workbench,
  page,
  server,
}) => {
  const { record, id } = await overlap(workbench, page, server);
  await record.otherWay('Overwrite version 2');
  await expect(record.review).toContainText('This save overwrites version 2');
  const { head } = await record.shownRequest();
  expect(head).toContain('If-Match: W/"2"');
  await record.save();
  await expect(workbench.status).toContainText('Saved version 3');
  expect(JSON.parse(await readPlan(server, id))).toMatchObject({ title: 'Mine', status: 'active' });
});

test('discarding mine asks, and opens their version @long', async ({ workbench, page, server }) => {
  const { record, id } = await overlap(workbench, page, server);
  await record.otherWay('Discard mine');
  await page.getByRole('button', { name: 'Discard my changes' }).click();
  await expect(workbench.editor).toContainText('Theirs');
  await expect(page.getByRole('button', { name: 'Review changes' })).toBeDisabled();
  expect(JSON.parse(await readPlan(server, id)).title).toBe('Theirs');
  await expect(record.drafts).toBeHidden();
});

test(
  'mine is kept as a draft, and comes back onto the version that it was made on',
  { tag: '@long' },
  async ({ workbench, page, server }) => {
    const { record, id } = await overlap(workbench, page, server);
    await record.otherWay('Keep mine as draft');
    await expect(workbench.editor).toContainText('Theirs');
    await expect(record.drafts).toContainText('made on version 1');
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

test('a conflict of a patch is met in the same way @long', async ({ workbench, page, server }) => {
  const { record, id } = await openPlan(page, server);
  await workbench.replaceInEditor('"title": "Exact"', '"title": "Mine"');
  await change(server, id, { status: 'on-hold' });
  await record.startReview();
  await record.review.getByRole('radio', { name: 'PATCH' }).check();
  await record.save();
  await expect(record.review).toContainText('Version 2 was saved by another client');
  await expect(record.review.getByRole('radio', { name: 'PATCH' })).toBeChecked();
  await record.save();
  await expect(workbench.status).toContainText('Saved version 3');
  expect(JSON.parse(await readPlan(server, id))).toMatchObject({ title: 'Mine', status: 'on-hold' });
});

test('@browser a record that is gone from the server leaves the text, as a draft @long', async ({ page }) => {
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
  await expect(record.review).toContainText('The record is no longer on the server');
  await record.review.getByRole('button', { name: 'Keep editing' }).click();
  await expect(workbench.editor).toContainText('Mine');
  await server.stop();
  await removeDataDir(dataDir);
});
