/** Settings in the page: applied at once, and stored apart from the records. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { openPlan, readPlan } from './record-page.ts';
import { Workbench } from './workbench.ts';

/** Opens Settings and returns its controls. */
async function openSettings(page: Page) {
  await page.getByRole('button', { name: 'No profile' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const region = (name: string) => page.getByRole('main').getByRole('region', { name, exact: true });
  return {
    font: region('Editor').getByRole('combobox', { name: 'Font size' }),
    minimap: region('Editor').getByRole('checkbox', { name: 'Minimap' }),
    pause: region('Drafts').getByRole('combobox', { name: 'Save drafts after' }),
    shortcuts: region('Keyboard shortcuts'),
  };
}

test('applies editor settings to the open record, which stays unchanged @settings', async ({
  page,
  server,
}) => {
  const workbench = new Workbench(page);
  await workbench.open(await server.link());
  const { id } = await openPlan(page, server);
  const text = await readPlan(server, id);
  const readFontSize = () =>
    workbench.editor
      .locator('.view-line')
      .first()
      .evaluate((line) => getComputedStyle(line).fontSize);
  const settings = await openSettings(page);
  await settings.font.selectOption('16 px');
  await settings.minimap.check();
  await settings.pause.selectOption('2 seconds');
  await expect(settings.pause).toHaveValue('2000');
  await page.getByRole('tab', { name: /Exact/ }).click();
  await expect.poll(readFontSize).toBe('16px');
  await expect(workbench.editor.locator('.minimap')).toBeVisible();
  expect(await readPlan(server, id)).toBe(text);
});

test('gives a command another shortcut, and refuses one that another command has @settings', async ({
  workbench: _,
  page,
  server,
}) => {
  await openPlan(page, server);
  const { shortcuts } = await openSettings(page);
  const change = shortcuts.getByRole('button', { name: 'Change shortcut of History' });
  await change.click();
  await page.keyboard.press('Control+S');
  await expect(shortcuts.getByText('Ctrl+S is already used by “Review changes”.')).toBeVisible();
  await page.keyboard.press('Control+Shift+J');
  await expect(change).toContainText('J');
  await page.getByRole('tab', { name: /Exact/ }).click();
  await page.keyboard.press('Control+Shift+J');
  await expect(page.getByRole('listbox', { name: 'Versions' })).toBeVisible();
});
