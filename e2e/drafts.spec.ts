import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { openWindow } from './offline.ts';
import { change } from './overlap.ts';
import { readDraftTexts, openPlan, planText, readPlan, RecordPage, storePlan } from './record-page.ts';
import { makeDataDir, removeDataDir, startTestServer } from './server.ts';
import { Workbench } from './workbench.ts';

test('offers the exact draft after server and browser died during an edit @drafts', async ({ browser }) => {
  const dataDir = await makeDataDir();
  const firstServer = await startTestServer(dataDir);
  const id = await storePlan(firstServer);
  const page = await openWindow(browser);
  await new Workbench(page).open(await firstServer.link());
  const record = new RecordPage(page);
  await record.open();
  await record.editor.locator('.view-line').first().click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowRight');
  // Half a member, with more digits than any number type.
  await page.keyboard.type('"note": [12345678901234567890.100,');
  await record.draftSaved();
  // On a busy machine typing is slower than saving drafts.
  await expect
    .poll(() => readDraftTexts(firstServer))
    .toEqual([expect.stringContaining('12345678901234567890.100,')]);
  const [draftText = ''] = await readDraftTexts(firstServer);
  expect(draftText).toContain('"note": [12345678901234567890.100,');
  await firstServer.kill();
  await page.close();

  const secondServer = await startTestServer(dataDir);
  const reopenedPage = await openWindow(browser);
  const workbench = new Workbench(reopenedPage);
  await workbench.open(await secondServer.link());
  const views = reopenedPage.getByRole('navigation', { name: 'Views' });
  await expect(views.getByRole('heading', { name: 'Drafts (1)' })).toBeVisible();
  await views.getByRole('button', { name: /^Exact .*, draft$/ }).click();
  const restoredRecord = new RecordPage(reopenedPage);
  await expect(restoredRecord.drafts).toContainText(
    /You have an unsaved draft from \d\d:\d\d, based on version 1\./,
  );
  await restoredRecord.drafts.getByRole('button', { name: 'Restore draft' }).click();
  await expect(restoredRecord.drafts).toBeHidden();
  await expect(restoredRecord.editor).toContainText('"note": [12345678901234567890.100,');
  // The next draft shows the content of the editor.
  await restoredRecord.editor.locator('.view-line').first().click();
  await reopenedPage.keyboard.press('Control+End');
  await reopenedPage.keyboard.type(' ');
  await expect.poll(() => readDraftTexts(secondServer)).toEqual([`${draftText} `]);
  expect(await readPlan(secondServer, id)).not.toContain('note');
  await reopenedPage.close();
  await secondServer.stop();
  await removeDataDir(dataDir);
});

test(
  'compares a draft with the record, discards it after a prompt, and restores it',
  { tag: '@drafts' },
  async ({ workbench, page, server, browser }) => {
    const { record } = await openPlan(page, server);
    await workbench.replaceInEditor('"title": "Exact"', '"title": "Drafted"');
    await record.draftSaved();

    const otherPage = await openWindow(browser);
    await new Workbench(otherPage).open(await server.link());
    const otherRecord = new RecordPage(otherPage);
    await otherRecord.open();
    await otherRecord.drafts.getByRole('button', { name: 'Compare' }).click();
    const comparison = otherPage.getByRole('dialog', { name: 'Draft of Exact' });
    await expect(comparison.getByRole('region', { name: 'Changes', exact: true })).toContainText('Drafted');
    await comparison.getByRole('button', { name: 'Close comparison' }).click();

    await otherRecord.drafts.getByRole('button', { name: 'Discard draft' }).click();
    await otherPage.getByRole('button', { name: 'Discard draft of Exact' }).click();
    await expect(otherRecord.drafts).toContainText('Draft discarded');
    await otherRecord.drafts.getByRole('button', { name: 'Undo' }).click();
    await otherRecord.drafts.getByRole('button', { name: 'Restore draft' }).click();
    await expect(otherRecord.editor).toContainText('Drafted');
    await otherPage.close();
  },
);

test('keeps a draft per window, and continues the one that another window took over @drafts', async ({
  workbench,
  page,
  server,
  browser,
}) => {
  await storePlan(server);
  const ourRecord = new RecordPage(page);
  await ourRecord.open();
  await workbench.replaceInEditor('"title": "Exact"', '"title": "First"');
  await ourRecord.draftSaved();
  const otherPage = await openWindow(browser);
  await new Workbench(otherPage).open(await server.link());
  const theirs = new RecordPage(otherPage);
  await theirs.open();
  await theirs.drafts.getByRole('button', { name: 'Restore draft' }).click();
  await expect(theirs.editor).toContainText('First');

  await workbench.replaceInEditor('"title": "First"', '"title": "Second"');
  await expect
    .poll(() => readDraftTexts(server))
    .toEqual([expect.stringContaining('"First"'), expect.stringContaining('"Second"')]);
  await otherPage.close();
});

test('removes a draft after the save, and never makes it a version @drafts', async ({
  workbench,
  page,
  server,
}) => {
  const { record, id } = await openPlan(page, server);
  await workbench.replaceInEditor('"title": "Exact"', '"title": "Kept"');
  await record.draftSaved();
  expect(await readPlan(server, id)).toContain('"versionId":"1"');
  expect(await readDraftTexts(server)).toHaveLength(1);
  await record.startReview();
  await record.save();
  await expect(workbench.status).toContainText('Saved version 2');
  await expect.poll(() => readDraftTexts(server)).toEqual([]);
});

test('reports an unsaved draft, and saves it once the server responds @drafts', async ({
  workbench,
  page,
  server,
}) => {
  const { record } = await openPlan(page, server);
  await page.route('**/app/drafts/*', (route) => route.abort());
  await workbench.replaceInEditor('"title": "Exact"', '"title": "Later"');
  await expect(page.getByRole('contentinfo')).toContainText('Draft not saved');
  const unsafe = page.getByRole('alert').filter({ hasText: 'Draft not saved' });
  await expect(unsafe).toBeVisible();
  await page.unroute('**/app/drafts/*');
  await record.draftSaved();
  await expect(unsafe).toHaveCount(0);
  expect(await readDraftTexts(server)).toEqual([expect.stringContaining('"Later"')]);
});

test('restores unsaved texts in their marked tabs after a reload, and discards them on request @drafts', async ({
  workbench,
  page,
  server,
}) => {
  const { record, id } = await openPlan(page, server);
  await workbench.replaceInEditor('"title": "Exact"', '"title": "Behind"');
  await record.draftSaved();
  const otherId = await storePlan(server, planText.replace('"Exact"', '"Second plan"'));
  await new Frame(page).openById(otherId);
  await expect(record.editor).toContainText('Second plan');
  await workbench.replaceInEditor('"title": "Second plan"', '"title": "In front"');
  await expect.poll(async () => (await readDraftTexts(server)).length).toBe(2);

  await page.reload();
  await expect(record.editor).toContainText('"In front"');
  await expect(workbench.status).toContainText('were restored. Discard goes back to version 1');
  await expect(record.drafts).toBeHidden();
  for (const title of ['Second plan', 'Exact'])
    await expect(page.getByRole('tab', { name: new RegExp(`\\b${title}`) })).toHaveAttribute(
      'aria-description',
      'Unsaved changes',
    );
  await page.getByRole('tab', { name: /\bExact/ }).click();
  await expect(record.editor).toContainText('"Behind"');
  expect(await readPlan(server, id)).toContain('"Exact"');
  expect(await readDraftTexts(server)).toHaveLength(2);

  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Discard/ })
    .click();
  await expect(record.editor).toContainText('"Exact"');
  await expect.poll(() => readDraftTexts(server)).toEqual([expect.stringContaining('"In front"')]);
});

test('offers a draft on an outdated version after a reload @drafts', async ({ workbench, page, server }) => {
  const { record, id } = await openPlan(page, server);
  await workbench.replaceInEditor('"title": "Exact"', '"title": "Mine"');
  await record.draftSaved();
  await change(server, id, { status: 'on-hold' });
  await page.reload();
  await expect(record.drafts).toContainText('The record is now at version 2');
  await expect(record.editor).not.toContainText('Mine');
});

test('leaves the draft of a duplicated window to its writer, and offers it @drafts', async ({
  workbench,
  page,
  server,
}) => {
  const { record } = await openPlan(page, server);
  await workbench.replaceInEditor('"title": "Exact"', '"title": "Still here"');
  await record.draftSaved();
  const popup = page.waitForEvent('popup');
  // An opened window has a copy of the session storage of its opener.
  await page.evaluate(() => void window.open(location.href));
  const twin = new RecordPage(await popup);
  await expect(twin.drafts.getByRole('button', { name: 'Restore draft' })).toBeVisible();
  await expect(twin.editor).not.toContainText('Still here');
  await expect(record.editor).toContainText('Still here');
});
