/** Start of the page: its bytes, and parts that are loaded when first needed. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { openWindow } from './offline.ts';
import { openPlan } from './record-page.ts';
import { Workbench } from './workbench.ts';

test.use({ flags: ['--demo'] });

/** Bytes of a reload: the document and the responses of the API. Each asset comes from the browser's cache. */
const maxReloadBytes = 50_000;

test('reloads without fetching its code again @first-use @browser', async ({ workbench: _, page }) => {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let reloadBytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (reloadBytes += encodedDataLength));
  await page.reload();
  await expect(page.locator('html[data-ready="true"]')).toBeAttached();
  expect(reloadBytes).toBeGreaterThan(0);
  expect(reloadBytes).toBeLessThanOrEqual(maxReloadBytes);
});

/** Returns true if the page has a rule of the editor's style sheets. */
const hasEditorRules = (page: Page) =>
  page.evaluate(() =>
    [...document.styleSheets].some(({ cssRules }) =>
      [...cssRules].some(({ cssText }) => cssText.startsWith('.monaco-editor')),
    ),
  );

test('loads the styles of the editor with the editor @first-use @browser', async ({ page, server }) => {
  const workbench = new Workbench(page);
  await workbench.open(await server.link());
  expect(await hasEditorRules(page)).toBe(false);
  await openPlan(page, server);
  await expect(workbench.editor.locator('.view-line').first()).toBeVisible();
  expect(await hasEditorRules(page)).toBe(true);
});

const notLoaded = 'This part of the window couldn’t be loaded.';

/** A stopped server, and the files of a new release in place of the old ones. */
const failures = {
  'no answer': (page: Page, files: RegExp) => page.route(files, (route) => route.abort()),
  'another release': (page: Page, files: RegExp) =>
    page.route(files, (route) => route.fulfill({ status: 404, contentType: 'application/json', body: '{}' })),
};

for (const [name, fail] of Object.entries(failures)) {
  test(`reports a part that can’t be loaded, and loads it on the next try: ${name} @safety @browser`, async ({
    browser,
    server,
  }) => {
    const page = await openWindow(browser);
    const workbench = new Workbench(page);
    const alert = page.getByRole('alert').filter({ hasText: notLoaded });
    const retry = alert.getByRole('button', { name: 'Try again' });
    const assets = /\/assets\/settings-view-/;
    await fail(page, assets);
    await workbench.open(await server.link());

    await page.getByRole('button', { name: 'No profile' }).click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    await expect(alert).toBeVisible();
    await expect(alert.getByRole('button', { name: 'Reload page' })).toBeVisible();
    await retry.click();
    await expect(alert).toBeVisible();
    await page.unroute(assets);
    await retry.click();
    await expect(page.getByRole('combobox', { name: 'Font size' })).toBeVisible();
    await expect(alert).toBeHidden();
    await page.close();
  });
}
