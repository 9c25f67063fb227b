import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { openWindow } from './offline.ts';
import { makeDataDir, removeDataDir, startTestServer } from './server.ts';
import { Workbench } from './workbench.ts';

test.use({ flags: ['--demo'] });

const patient = 'demo-patient-089';

test(
  'tabs and the last search are back after the server and the browser were killed',
  { tag: '@long' },
  async ({ browser }) => {
    const dataDir = await makeDataDir();
    const first = await startTestServer(dataDir, ['--demo']);
    const before = await openWindow(browser);
    const workbench = new Workbench(before);
    await workbench.open(await first.link());
    await workbench.search('CarePlan', { patient });
    await workbench.openRow(workbench.rows().nth(0));
    await before.getByRole('tab', { name: 'Search' }).click();
    const kept = before.waitForRequest(
      (request) =>
        request.method() === 'PUT' &&
        request.url().endsWith('/app/session') &&
        (request.postData() ?? '').split('"kind":"record"').length === 3,
    );
    await workbench.openRow(workbench.rows().nth(1));
    await (await kept).response();
    const names = await new Frame(before).tabs.allInnerTexts();
    expect(names).toHaveLength(3);
    await before.close();
    await first.kill();

    const second = await startTestServer(dataDir);
    const after = await openWindow(browser);
    await new Workbench(after).open(await second.link());
    const frame = new Frame(after);
    await expect(frame.tabs).toHaveText(names);
    await expect(frame.tabs.nth(2)).toHaveAttribute('aria-selected', 'true');
    await expect(new Workbench(after).editor.locator('.view-line').first()).toBeVisible();
    await frame.tabs.nth(1).click();
    await expect(new Workbench(after).editor.locator('.view-line').first()).toBeVisible();
    await frame.tab('Search').click();
    await expect(after.getByRole('textbox', { name: 'Patient' })).toHaveValue(patient);
    await expect(new Workbench(after).rows().first()).toBeVisible();
    await after.close();
    await second.stop();
    await removeDataDir(dataDir);
  },
);

test('what was changed right before the window goes away is restored @long', async ({ workbench, page }) => {
  const frame = new Frame(page);
  await workbench.search('CarePlan', { patient });
  await frame.openRow(workbench.rows().nth(0));
  await frame.tab('Search').click();
  await frame.openRow(workbench.rows().nth(1));
  const first = frame.tabs.nth(1);
  await expect(first).toHaveAttribute('aria-selected', 'false');
  // In one task: nothing that waits for a moment is done between the two.
  await first.evaluate((tab: HTMLElement) => {
    tab.click();
    location.reload();
  });
  await page.waitForEvent('load');
  await expect(first).toHaveAttribute('aria-selected', 'true');
  await expect(frame.tabs).toHaveCount(3);
});

test('tabs close with a middle click and with keys, and open again in reverse @long', async ({
  workbench,
  page,
}) => {
  const frame = new Frame(page);
  await workbench.search('CarePlan', { patient });
  await frame.openRow(workbench.rows().nth(0));
  await frame.tab('Search').click();
  await frame.openRow(workbench.rows().nth(1));
  const [, one = '', two = ''] = await frame.tabs.evaluateAll((all) =>
    all.map(({ ariaLabel }) => ariaLabel ?? ''),
  );

  await frame.tab(one).click({ button: 'middle' });
  await expect(frame.tab(one)).toHaveCount(0);
  await expect(workbench.status).toHaveText(`Closed ${one}`);
  await page.keyboard.press('Control+W');
  await expect(frame.tabs).toHaveCount(1);
  await page.keyboard.press('Alt+Shift+T');
  await expect(frame.tab(two)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Alt+Shift+T');
  await expect(frame.tab(one)).toHaveAttribute('aria-selected', 'true');
  // The record that was opened again is announced once it was read, which may be after the first press.
  await expect(async () => {
    await page.keyboard.press('Alt+Shift+T');
    await expect(workbench.status).toHaveText('No tab was closed.', { timeout: 10_000 });
  }).toPass();

  await page.keyboard.press('Alt+PageDown');
  await expect(frame.tab('Search')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Alt+PageUp');
  await expect(frame.tab(one)).toHaveAttribute('aria-selected', 'true');
  await frame.tab(one).focus();
  await page.keyboard.press('Home');
  await expect(frame.tab('Search')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(frame.tab(two)).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: 'List of open tabs' }).click();
  await page.getByRole('menuitem', { name: one }).click();
  await expect(frame.tab(one)).toHaveAttribute('aria-selected', 'true');
});

test('a tab with changes is marked, and closing it with keys asks @long', async ({ workbench, page }) => {
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

test('changes are discarded after a question, and undo brings them back @long', async ({
  workbench,
  page,
}) => {
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
  await page.getByRole('button', { name: /^Discard changes of / }).click();
  await expect(lines).not.toContainText('Mine: ');
  await expect(tab).not.toHaveAttribute('aria-description');
  await expect(discard).toBeDisabled();
  await expect(workbench.status).toContainText(/^Discarded the changes of .+; undo brings them back/);

  await workbench.editor.getByRole('textbox', { name: 'JSON text of the record' }).focus();
  await page.keyboard.press('Control+Z');
  await expect(lines).toContainText('Mine: ');
  await expect(tab).toHaveAttribute('aria-description', 'Unsaved changes');
});
