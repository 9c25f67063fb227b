import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { readRecord } from './server.ts';

test.use({ flags: ['--demo'] });

const patient = 'demo-patient-089';

test('searches, opens, edits, reviews and saves a record with the keyboard only @keyboard', async ({
  workbench,
  page,
  server,
}) => {
  const { keyboard } = page;
  await keyboard.press('Control+Shift+F');
  await expect(page.getByRole('textbox', { name: 'Patient' })).toBeFocused();
  await keyboard.type(patient);
  await keyboard.press('Enter');
  await expect(workbench.rows().first()).toBeVisible();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await expect(workbench.editor.locator('.view-line').first()).toBeVisible();
  await expect(workbench.editor.locator('.monaco-editor.focused')).toBeVisible();

  await keyboard.press('Control+H');
  await expect(workbench.editor.getByRole('textbox', { name: 'Find' })).toBeFocused();
  await keyboard.type('"title": "');
  await keyboard.press('Tab');
  await expect(workbench.editor.getByRole('textbox', { name: 'Replace' })).toBeFocused();
  await keyboard.type('"title": "By keys: ');
  await keyboard.press('Control+Alt+Enter');
  await keyboard.press('Escape');
  await keyboard.press('Control+S');
  const review = workbench.dialog('Review changes');
  await expect(review).toBeVisible();
  await new Frame(page).pressUntilFocused('Tab', review.getByRole('button', { name: 'Save' }));
  await keyboard.press('Enter');
  await expect(workbench.status).toContainText('Saved version 2');
  const { entry } = await readRecord(server, `CarePlan?subject=${patient}`);
  const titles: string[] = entry.map(
    (entryItem: { resource: { title: string } }) => entryItem.resource.title,
  );
  expect(titles.filter((title) => title.startsWith('By keys: '))).toHaveLength(1);
});

test('keeps text typed right after the shortcut of the search @keyboard', async ({ workbench, page }) => {
  const field = page.getByRole('textbox', { name: 'Patient' });
  await workbench.search('CarePlan', { patient });
  await field.focus();
  await page.evaluate(() => {
    const frame = globalThis.requestAnimationFrame;
    globalThis.requestAnimationFrame = (run) => frame(() => setTimeout(() => run(performance.now()), 200));
  });
  await page.keyboard.press('Control+Shift+F');
  await page.keyboard.type('Patient/');
  // After the late frame.
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await page.keyboard.type('x');
  await expect(field).toHaveValue('Patient/x');
});

test('cycles with F6 through the parts of the window, each at its previous position @keyboard', async ({
  workbench,
  page,
}) => {
  const frame = new Frame(page);
  const region = (name: string) => page.locator(`[data-region=${name}]`).last();
  const holdsFocus = (name: string) => expect(region(name).locator(':focus')).toBeAttached();
  await workbench.search('CarePlan', { patient });
  await frame.openRow(workbench.rows().first());
  await frame.tab('Search').click();
  const row = workbench.rows().nth(1);
  await row.click();
  await page.keyboard.press('Shift+F6');
  await expect(frame.tab('Search')).toBeFocused();
  await page.keyboard.press('Shift+F6');
  await holdsFocus('views');
  await page.keyboard.press('Shift+F6');
  await holdsFocus('top');
  await page.keyboard.press('Shift+F6');
  await expect(region('status')).toBeFocused();
  await page.keyboard.press('Shift+F6');
  await expect(row).toBeFocused();
  await page.keyboard.press('F6');
  await expect(region('status')).toBeFocused();
});

test('skips to the main area with the first stop of the page @keyboard', async ({ workbench: _, page }) => {
  const frame = new Frame(page);
  const skip = page.getByRole('button', { name: 'Skip to main content' });
  await frame.pressUntilFocused('Shift+Tab', skip);
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-region=main] :focus')).toBeAttached();
});
