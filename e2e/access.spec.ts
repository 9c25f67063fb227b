import { expect, test } from './fixtures.ts';
import type { TestServer } from './server.ts';

test.use({ flags: ['--demo'] });

/** Sends a request with a token. */
function ask({ origin }: TestServer, token: string, method: string, path: string, body?: string) {
  return fetch(`${origin}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body }),
  });
}

test('creates a token with its scopes, shows it once, uses it, and revokes it at once @access', async ({
  workbench,
  page,
  server,
}) => {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Access' }).click();
  await expect(page.getByText('No other tokens')).toBeVisible();
  await page.getByRole('button', { name: 'Create token' }).click();
  const form = page.getByRole('dialog', { name: 'Create token' });
  await form.getByLabel('Name').fill('ward import');
  await form.getByRole('checkbox', { name: 'Read Composition' }).uncheck();
  await form.getByRole('checkbox', { name: 'Search Composition' }).uncheck();
  await form.getByRole('checkbox', { name: 'Update CarePlan' }).check();
  await expect(form).toContainText('system/CarePlan.rus');
  await form.getByLabel('Expires').selectOption('In 7 days');
  await form.getByRole('button', { name: 'Create token' }).click();

  const createdDialog = page.getByRole('dialog', { name: 'Token ward import created' });
  const token = await createdDialog.getByLabel('Token', { exact: true }).inputValue();
  await expect(createdDialog).toContainText('Bearer $TOKEN');
  expect((await ask(server, token, 'GET', '/fhir-r4/v1/CarePlan?subject=demo-patient-089')).status).toBe(200);
  expect((await ask(server, token, 'GET', '/fhir-r4/v1/Composition')).status).toBe(403);
  expect((await ask(server, token, 'POST', '/fhir-r4/v1/CarePlan', '{}')).status).toBe(403);
  expect((await ask(server, token, 'GET', '/app/tokens')).status).toBe(403);
  await createdDialog.getByRole('button', { name: 'Done' }).click();

  const row = page.getByRole('row', { name: /ward import/ });
  await expect(row).toContainText('Active');
  expect(await page.content()).not.toContain(token);
  expect(
    await page.evaluate(() => JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)])),
  ).not.toContain(token);

  await row.getByRole('button', { name: 'Revoke ward import' }).click();
  await page
    .getByRole('dialog', { name: 'Revoke token ward import?' })
    .getByRole('button', { name: 'Revoke ward import' })
    .click();
  await expect(workbench.status).toContainText('Token ward import revoked');
  expect((await ask(server, token, 'GET', '/fhir-r4/v1/CarePlan?subject=demo-patient-089')).status).toBe(401);
  await expect(row).toContainText('Revoked');
  await expect(row.getByRole('button')).toHaveCount(0);
});

test('marks its own token, which cannot be revoked, and does not send a form without scope @access', async ({
  workbench: _,
  page,
}) => {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Access' }).click();
  const ownRow = page.getByRole('row', { name: /owner this page/ });
  await expect(ownRow).toContainText('system/*.*');
  await expect(ownRow.getByRole('button')).toHaveCount(0);
  await page.getByRole('button', { name: 'Create token' }).click();
  const form = page.getByRole('dialog', { name: 'Create token' });
  await form.getByLabel('Name').fill('x');
  for (const type of ['CarePlan', 'Composition']) {
    for (const letter of ['Read', 'Search']) {
      await form.getByRole('checkbox', { name: `${letter} ${type}` }).uncheck();
    }
  }
  await expect(form.getByRole('button', { name: 'Create token' })).toBeDisabled();
  await form.getByRole('checkbox', { name: /^Everything/ }).check();
  await expect(form).toContainText('system/*.*');
  await form.getByRole('button', { name: 'Create token' }).click();
  await expect(page.getByRole('dialog', { name: 'Token x created' })).toBeVisible();
});
