import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { openWindow } from './offline.ts';
import { makeDataDir, removeDataDir, startTestServer } from './server.ts';
import { Workbench } from './workbench.ts';

test.use({ flags: ['--demo'] });

const patient = 'demo-patient-089';

test(
  'restores tabs and the last search after the server and the browser were killed',
  { tag: '@tabs' },
  async ({ browser }) => {
    const dataDir = await makeDataDir();
    const firstServer = await startTestServer(dataDir, ['--demo']);
    const firstPage = await openWindow(browser);
    const workbench = new Workbench(firstPage);
    await workbench.open(await firstServer.link());
    await workbench.search('CarePlan', { patient });
    await workbench.openRow(workbench.rows().nth(0));
    await firstPage.getByRole('tab', { name: 'Search' }).click();
    const saveRequest = firstPage.waitForRequest(
      (request) =>
        request.method() === 'PUT' &&
        request.url().endsWith('/app/session') &&
        (request.postData() ?? '').split('"kind":"record"').length === 3,
    );
    await workbench.openRow(workbench.rows().nth(1));
    await (await saveRequest).response();
    const names = await new Frame(firstPage).tabs.allInnerTexts();
    expect(names).toHaveLength(3);
    await firstPage.close();
    await firstServer.kill();

    const secondServer = await startTestServer(dataDir);
    const secondPage = await openWindow(browser);
    await new Workbench(secondPage).open(await secondServer.link());
    const frame = new Frame(secondPage);
    await expect(frame.tabs).toHaveText(names);
    await expect(frame.tabs.nth(2)).toHaveAttribute('aria-selected', 'true');
    await expect(new Workbench(secondPage).editor.locator('.view-line').first()).toBeVisible();
    await frame.tabs.nth(1).click();
    await expect(new Workbench(secondPage).editor.locator('.view-line').first()).toBeVisible();
    await frame.tab('Search').click();
    await expect(secondPage.getByRole('textbox', { name: 'Patient' })).toHaveValue(patient);
    await expect(new Workbench(secondPage).rows().first()).toBeVisible();
    await secondPage.close();
    await secondServer.stop();
    await removeDataDir(dataDir);
  },
);

test('restores a change made right before the window closes @tabs', async ({ workbench, page }) => {
  const frame = new Frame(page);
  await workbench.search('CarePlan', { patient });
  await frame.openRow(workbench.rows().nth(0));
  await frame.tab('Search').click();
  await frame.openRow(workbench.rows().nth(1));
  const firstTab = frame.tabs.nth(1);
  await expect(firstTab).toHaveAttribute('aria-selected', 'false');
  // In one task, so that no timer runs between the two.
  await firstTab.evaluate((tab: HTMLElement) => {
    tab.click();
    location.reload();
  });
  await page.waitForEvent('load');
  await expect(firstTab).toHaveAttribute('aria-selected', 'true');
  await expect(frame.tabs).toHaveCount(3);
});

test('closes tabs with a middle click and with keys, and reopens them in reverse order @tabs', async ({
  workbench,
  page,
}) => {
  const frame = new Frame(page);
  await workbench.search('CarePlan', { patient });
  await frame.openRow(workbench.rows().nth(0));
  await frame.tab('Search').click();
  await frame.openRow(workbench.rows().nth(1));
  const [, firstLabel = '', secondLabel = ''] = await frame.tabs.evaluateAll((tabs) =>
    tabs.map(({ ariaLabel }) => ariaLabel ?? ''),
  );

  await frame.tab(firstLabel).click({ button: 'middle' });
  await expect(frame.tab(firstLabel)).toHaveCount(0);
  // The tab shows the patient above the title, the message names the title first.
  const [subject = '', ...title] = firstLabel.split(' · ');
  await expect(workbench.status).toHaveText(`Closed ${[...title, subject].join(' · ')}`);
  await page.keyboard.press('Control+W');
  await expect(frame.tabs).toHaveCount(1);
  await page.keyboard.press('Alt+Shift+T');
  await expect(frame.tab(secondLabel)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Alt+Shift+T');
  await expect(frame.tab(firstLabel)).toHaveAttribute('aria-selected', 'true');
  // A reopened record is announced after it was read, which may be after the first press.
  await expect(async () => {
    await page.keyboard.press('Alt+Shift+T');
    await expect(workbench.status).toHaveText('No recently closed tab.', { timeout: 10_000 });
  }).toPass();

  await page.keyboard.press('Alt+PageDown');
  await expect(frame.tab('Search')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Alt+PageUp');
  await expect(frame.tab(firstLabel)).toHaveAttribute('aria-selected', 'true');
  await frame.tab(firstLabel).focus();
  await page.keyboard.press('Home');
  await expect(frame.tab('Search')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(frame.tab(secondLabel)).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: 'All open tabs' }).click();
  await page.getByRole('menuitem', { name: firstLabel }).click();
  await expect(frame.tab(firstLabel)).toHaveAttribute('aria-selected', 'true');
});

test('marks a tab with changes, and asks when it is closed with keys @tabs', async ({ workbench, page }) => {
  const frame = new Frame(page);
  await workbench.search('CarePlan', { patient });
  await workbench.openRow(workbench.rows().first());
  const tab = frame.tabs.nth(1);
  await expect(tab).not.toHaveAttribute('aria-description');
  await workbench.replaceInEditor('"title": "', '"title": "Mine: ');
  await expect(tab).toHaveAttribute('aria-description', 'Unsaved changes');
  await page.keyboard.press('Control+W');
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await expect(tab).toBeVisible();
  await expect(workbench.editor).toContainText('Mine: ');
});

test('discards changes after a prompt, and restores them by undo @tabs', async ({ workbench, page }) => {
  const tab = new Frame(page).tabs.nth(1);
  await workbench.search('CarePlan', { patient });
  await workbench.openRow(workbench.rows().first());
  const lines = workbench.editor.locator('.view-lines').first();
  const discard = page.getByRole('button', { name: 'Discard', exact: true });
  await expect(discard).toBeDisabled();
  await workbench.replaceInEditor('"title": "', '"title": "Mine: ');
  await discard.click();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await expect(lines).toContainText('Mine: ');

  await discard.click();
  await page.getByRole('button', { name: /^Discard changes to / }).click();
  await expect(lines).not.toContainText('Mine: ');
  await expect(tab).not.toHaveAttribute('aria-description');
  await expect(discard).toBeDisabled();
  await expect(workbench.status).toContainText(/^Changes to .+ discarded\. Undo brings them back\./);

  await workbench.editor.getByRole('textbox', { name: 'JSON of the record' }).focus();
  await page.keyboard.press('Control+Z');
  await expect(lines).toContainText('Mine: ');
  await expect(tab).toHaveAttribute('aria-description', 'Unsaved changes');
});
