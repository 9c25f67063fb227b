import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { openWindow } from './offline.ts';
import { change } from './overlap.ts';
import { draftTexts, openPlan, planText, readPlan, RecordPage, storePlan } from './record-page.ts';
import { makeDataDir, removeDataDir, startTestServer } from './server.ts';
import { Workbench } from './workbench.ts';

test('after server and browser died in the middle of an edit, the draft is offered, text and digits equal', async ({
  browser,
}) => {
  const dataDir = await makeDataDir();
  const first = await startTestServer(dataDir);
  const id = await storePlan(first);
  const page = await openWindow(browser);
  await new Workbench(page).open(await first.link());
  const record = new RecordPage(page);
  await record.open();
  await record.editor.locator('.view-line').first().click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowRight');
  // Half a member, with digits that no number type holds.
  await page.keyboard.type('"note": [12345678901234567890.100,');
  await record.draftSaved();
  // On a busy machine the keys come slower than drafts are saved.
  await expect.poll(() => draftTexts(first)).toEqual([expect.stringContaining('12345678901234567890.100,')]);
  const [typed = ''] = await draftTexts(first);
  expect(typed).toContain('"note": [12345678901234567890.100,');
  await first.kill();
  await page.close();

  const second = await startTestServer(dataDir);
  const reopened = await openWindow(browser);
  const workbench = new Workbench(reopened);
  await workbench.open(await second.link());
  const views = reopened.getByRole('navigation', { name: 'Views' });
  await expect(views.getByRole('heading', { name: 'Drafts (1)' })).toBeVisible();
  await views.getByRole('button', { name: /^Draft of Exact/ }).click();
  const restored = new RecordPage(reopened);
  await expect(restored.drafts).toContainText(/A draft of \d\d:\d\d, made on version 1, is not saved/);
  await restored.drafts.getByRole('button', { name: 'Restore draft' }).click();
  await expect(restored.drafts).toBeHidden();
  await expect(restored.editor).toContainText('"note": [12345678901234567890.100,');
  // What the editor holds is what its next draft says.
  await restored.editor.locator('.view-line').first().click();
  await reopened.keyboard.press('Control+End');
  await reopened.keyboard.type(' ');
  await expect.poll(() => draftTexts(second)).toEqual([`${typed} `]);
  expect(await readPlan(second, id)).not.toContain('note');
  await reopened.close();
  await second.stop();
  await removeDataDir(dataDir);
});

test(
  'a draft is compared with the record, discarded after a question, and brought back',
  { tag: '@long' },
  async ({ workbench, page, server, browser }) => {
    const { record } = await openPlan(page, server);
    await workbench.replaceInEditor('"title": "Exact"', '"title": "Drafted"');
    await record.draftSaved();

    const other = await openWindow(browser);
    await new Workbench(other).open(await server.link());
    const offered = new RecordPage(other);
    await offered.open();
    await offered.drafts.getByRole('button', { name: 'Compare' }).click();
    const comparison = other.getByRole('dialog', { name: 'Draft of Exact' });
    await expect(comparison.getByRole('region', { name: 'Difference' })).toContainText('Drafted');
    await comparison.getByRole('button', { name: 'Close comparison' }).click();

    await offered.drafts.getByRole('button', { name: 'Discard draft' }).click();
    await other.getByRole('button', { name: 'Discard draft of Exact' }).click();
    await expect(offered.drafts).toContainText('The draft was discarded');
    await offered.drafts.getByRole('button', { name: 'Undo' }).click();
    await offered.drafts.getByRole('button', { name: 'Restore draft' }).click();
    await expect(offered.editor).toContainText('Drafted');
    await other.close();
  },
);

test('two windows on one record keep two drafts; what one takes over, the other goes on beside @long', async ({
  workbench,
  page,
  server,
  browser,
}) => {
  await storePlan(server);
  const mine = new RecordPage(page);
  await mine.open();
  await workbench.replaceInEditor('"title": "Exact"', '"title": "First"');
  await mine.draftSaved();
  const other = await openWindow(browser);
  await new Workbench(other).open(await server.link());
  const theirs = new RecordPage(other);
  await theirs.open();
  await theirs.drafts.getByRole('button', { name: 'Restore draft' }).click();
  await expect(theirs.editor).toContainText('First');

  await workbench.replaceInEditor('"title": "First"', '"title": "Second"');
  await expect
    .poll(() => draftTexts(server))
    .toEqual([expect.stringContaining('"First"'), expect.stringContaining('"Second"')]);
  await other.close();
});

test('a draft goes when the text is saved, and is never a version itself @long', async ({
  workbench,
  page,
  server,
}) => {
  const { record, id } = await openPlan(page, server);
  await workbench.replaceInEditor('"title": "Exact"', '"title": "Kept"');
  await record.draftSaved();
  expect(await readPlan(server, id)).toContain('"versionId":"1"');
  expect(await draftTexts(server)).toHaveLength(1);
  await record.startReview();
  await record.save();
  await expect(workbench.status).toContainText('Saved version 2');
  await expect.poll(() => draftTexts(server)).toEqual([]);
});

test('a draft that is not saved is said so, and saved once the server answers', async ({
  workbench,
  page,
  server,
}) => {
  const { record } = await openPlan(page, server);
  await page.route('**/app/drafts/*', (route) => route.abort());
  await workbench.replaceInEditor('"title": "Exact"', '"title": "Later"');
  await expect(page.getByRole('contentinfo')).toContainText('draft not saved');
  const unsafe = page.getByRole('alert').filter({ hasText: 'Draft not saved' });
  await expect(unsafe).toBeVisible();
  await page.unroute('**/app/drafts/*');
  await record.draftSaved();
  await expect(unsafe).toHaveCount(0);
  expect(await draftTexts(server)).toEqual([expect.stringContaining('"Later"')]);
});

test('after a reload unsaved texts are back in their tabs, each with its dot, and Discard returns to the version', async ({
  workbench,
  page,
  server,
}) => {
  const { record, id } = await openPlan(page, server);
  await workbench.replaceInEditor('"title": "Exact"', '"title": "Behind"');
  await record.draftSaved();
  const other = await storePlan(server, planText.replace('"Exact"', '"Second plan"'));
  await new Frame(page).openById(other);
  await expect(record.editor).toContainText('Second plan');
  await workbench.replaceInEditor('"title": "Second plan"', '"title": "In front"');
  await expect.poll(async () => (await draftTexts(server)).length).toBe(2);

  await page.reload();
  await expect(record.editor).toContainText('"In front"');
  await expect(workbench.status).toContainText('is back; Discard returns to version 1');
  await expect(record.drafts).toBeHidden();
  for (const title of ['Second plan', 'Exact'])
    await expect(page.getByRole('tab', { name: new RegExp(`^${title}`) })).toHaveAttribute(
      'aria-description',
      'Unsaved changes',
    );
  await page.getByRole('tab', { name: /^Exact/ }).click();
  await expect(record.editor).toContainText('"Behind"');
  expect(await readPlan(server, id)).toContain('"Exact"');
  expect(await draftTexts(server)).toHaveLength(2);

  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Discard/ })
    .click();
  await expect(record.editor).toContainText('"Exact"');
  await expect.poll(() => draftTexts(server)).toEqual([expect.stringContaining('"In front"')]);
});

test('a draft on a version that is not the newest any more is offered after a reload @long', async ({
  workbench,
  page,
  server,
}) => {
  const { record, id } = await openPlan(page, server);
  await workbench.replaceInEditor('"title": "Exact"', '"title": "Mine"');
  await record.draftSaved();
  await change(server, id, { status: 'on-hold' });
  await page.reload();
  await expect(record.drafts).toContainText('The record is at version 2 now');
  await expect(record.editor).not.toContainText('Mine');
});

test('a window that was duplicated leaves the draft to the one that writes it, and offers it @long', async ({
  workbench,
  page,
  server,
}) => {
  const { record } = await openPlan(page, server);
  await workbench.replaceInEditor('"title": "Exact"', '"title": "Still here"');
  await record.draftSaved();
  const popup = page.waitForEvent('popup');
  // What a window opens has a copy of what that window remembers.
  await page.evaluate(() => void window.open(location.href));
  const twin = new RecordPage(await popup);
  await expect(twin.drafts.getByRole('button', { name: 'Restore draft' })).toBeVisible();
  await expect(twin.editor).not.toContainText('Still here');
  await expect(record.editor).toContainText('Still here');
});
