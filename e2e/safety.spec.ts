import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { patchRecord, readRecord } from './server.ts';

test.use({ flags: ['--demo'] });

const patient = 'demo-patient-089';

test(
  'rejects a save over another version with a message, and keeps the text',
  { tag: '@safety' },
  async ({ workbench, page, server }) => {
    await workbench.search('CarePlan', { patient });
    await workbench.openRow(workbench.rows(/Asthma/));
    await workbench.replaceInEditor('"title": "', '"title": "Mine: ');
    const { entry } = await readRecord(server, `CarePlan?subject=${patient}`);
    const { id } = entry
      .map((entry: { resource: { id: string; title: string } }) => entry.resource)
      .find(({ title }: { title: string }) => title.includes('Asthma'));
    await patchRecord(server, `CarePlan/${String(id)}`, '/status', 'revoked');

    await workbench.reviewAndSave();
    const review = workbench.dialog('Review changes');
    await expect(review).toContainText('Nothing was saved, and your changes are kept');
    await expect(review).toContainText('2');
    await review.getByRole('button', { name: 'Keep editing' }).click();
    await expect(workbench.editor).toContainText('Mine: Asthma');
    expect(await readRecord(server, `CarePlan/${String(id)}`)).toMatchObject({
      status: 'revoked',
      meta: { versionId: '2' },
    });
    await expect(page.getByRole('button', { name: 'Review changes' })).toBeEnabled();
  },
);

test('asks before closing a tab with changes @safety', async ({ workbench, page }) => {
  await workbench.search('CarePlan', { patient });
  await workbench.openRow(workbench.rows(/Asthma/));
  await workbench.replaceInEditor('"title": "', '"title": "Mine: ');
  const tab = page.getByRole('tab', { name: /Asthma/ });
  await tab.focus();
  await page.keyboard.press('Delete');
  const question = page.getByRole('dialog');
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(workbench.editor).toContainText('Mine: Asthma');
  await tab.focus();
  await page.keyboard.press('Delete');
  await question.getByRole('button', { name: /^Discard/ }).click();
  await expect(tab).toBeHidden();
});

test('preserves trailing zeros of decimals in the editor @safety', async ({ workbench, server }) => {
  const created = await fetch(`${server.origin}/fhir-r4/v1/CarePlan`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json' },
    body: '{"resourceType":"CarePlan","title":"Exact","status":"active","intent":"plan","subject":{"reference":"Patient/exact"},"activity":[{"detail":{"status":"scheduled","quantity":{"value":1.00},"dailyAmount":{"value":12345678901234567890.10}}}]}',
  });
  const { id } = (await created.json()) as { id: string };
  await workbench.search('CarePlan', { patient: 'exact' });
  await workbench.openRow(workbench.rows('Exact'));
  await workbench.replaceInEditor('"title": "Exact"', '"title": "Exact still"');
  await workbench.reviewAndSave();
  await expect(workbench.status).toContainText('Saved version 2');
  const answer = await fetch(`${server.origin}/fhir-r4/v1/CarePlan/${id}`, {
    headers: { Authorization: `Bearer ${server.token}` },
  });
  const text = await answer.text();
  expect(text).toMatch(/"value":\s*1\.00\b/);
  expect(text).toMatch(/"value":\s*12345678901234567890\.10\b/);
});

test('operates the grid with the keyboard only @safety', async ({ workbench, page }) => {
  await workbench.search('Composition', {});
  await expect(workbench.rows().first()).toBeVisible();
  await workbench.results.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(workbench.editor.locator('.view-line').first()).toBeVisible();
});

test('keeps the theme over a reload, and removes the code from the address @safety', async ({
  workbench: _,
  page,
}) => {
  expect(page.url()).not.toContain('code');
  await page.getByRole('button', { name: 'Display' }).click();
  await page
    .getByRole('menuitem', { name: 'Dark' })
    .or(page.getByRole('menuitemradio', { name: 'Dark' }))
    .click();
  const dark = page.locator('html[data-mantine-color-scheme="dark"]');
  await expect(dark).toBeAttached();
  await page.reload();
  await expect(dark).toBeAttached();
  await expect(page.getByRole('textbox', { name: 'Patient' })).toBeVisible();
});

test('asks for a link without a session, and reports a used link @safety @browser', async ({
  page,
  server,
}) => {
  const link = await server.link();
  const field = page.getByLabel('Sign-in link or code');
  const signIn = page.getByRole('button', { name: 'Sign in' });
  await page.goto(`${server.origin}/`);
  await field.fill('of-no-server');
  await signIn.click();
  await expect(page.getByRole('alert')).toContainText('chartkeeper link');
  await field.fill(link);
  await signIn.click();
  await expect(page.getByRole('textbox', { name: 'Patient' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Patient' })).toBeVisible();

  const otherPage = await page.context().newPage();
  await otherPage.goto(link);
  await expect(otherPage.getByRole('alert')).toContainText('This link was already used');
  await otherPage.getByLabel('Sign-in link or code').fill(server.token);
  await otherPage.getByRole('button', { name: 'Sign in' }).click();
  await expect(otherPage.getByRole('textbox', { name: 'Patient' })).toBeVisible();
  const storedValues = await otherPage.evaluate(() =>
    JSON.stringify([...Object.values(sessionStorage), document.cookie]),
  );
  expect(storedValues).not.toContain(server.token);
});

test('asks for a link after a sign-out, and ends the session @safety @browser', async ({
  workbench: _,
  page,
  server,
}) => {
  const headers = { Authorization: `Bearer ${server.token}` };
  const sessions = async () =>
    (await (await fetch(`${server.origin}/app/sessions`, { headers })).json()).sessions;
  expect(await sessions()).toHaveLength(1);
  await new Frame(page).run('Sign out');
  await expect(page.getByLabel('Sign-in link or code')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Patient' })).toBeHidden();
  expect(await sessions()).toEqual([]);
  await page.reload();
  await expect(page.getByLabel('Sign-in link or code')).toBeVisible();
});

test('signs in by a link opened in the page that asks for it @safety @browser', async ({ page, server }) => {
  await page.goto(`${server.origin}/`);
  await expect(page.getByLabel('Sign-in link or code')).toBeVisible();
  await page.goto(await server.link());
  await expect(page.getByRole('textbox', { name: 'Patient' })).toBeVisible();
  expect(page.url()).toBe(`${server.origin}/`);
});
