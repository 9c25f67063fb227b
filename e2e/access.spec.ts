import { expect, test } from './fixtures.ts';
import type { TestServer } from './server.ts';

test.use({ flags: ['--demo'] });

/** What the API answers to a token. */
function ask({ origin }: TestServer, token: string, method: string, path: string, body?: string) {
  return fetch(`${origin}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body }),
  });
}

test('a token is minted with its scopes, shown once, works, and is revoked at once @long', async ({
  workbench,
  page,
  server,
}) => {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Access' }).click();
  await expect(page.getByText('No other tokens yet')).toBeVisible();
  await page.getByRole('button', { name: 'Mint token' }).click();
  const form = page.getByRole('dialog', { name: 'Mint token' });
  await form.getByLabel('Name').fill('ward import');
  await form.getByRole('checkbox', { name: 'Read Composition' }).uncheck();
  await form.getByRole('checkbox', { name: 'Search Composition' }).uncheck();
  await form.getByRole('checkbox', { name: 'Update CarePlan' }).check();
  await expect(form).toContainText('system/CarePlan.rus');
  await form.getByLabel('Expires').selectOption('In 7 days');
  await form.getByRole('button', { name: 'Mint token' }).click();

  const shown = page.getByRole('dialog', { name: 'Token ward import' });
  const token = await shown.getByLabel('Token', { exact: true }).inputValue();
  await expect(shown).toContainText('Bearer $TOKEN');
  expect((await ask(server, token, 'GET', '/fhir-r4/v1/CarePlan?subject=demo-patient-089')).status).toBe(200);
  expect((await ask(server, token, 'GET', '/fhir-r4/v1/Composition')).status).toBe(403);
  expect((await ask(server, token, 'POST', '/fhir-r4/v1/CarePlan', '{}')).status).toBe(403);
  expect((await ask(server, token, 'GET', '/app/tokens')).status).toBe(403);
  await shown.getByRole('button', { name: 'Done' }).click();

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
  await expect(workbench.status).toContainText('Revoked token ward import');
  expect((await ask(server, token, 'GET', '/fhir-r4/v1/CarePlan?subject=demo-patient-089')).status).toBe(401);
  await expect(row).toContainText('Revoked');
  await expect(row.getByRole('button')).toHaveCount(0);
});

test('the own token is marked and has nothing to revoke; a form without scope is not sent @long', async ({
  workbench: _,
  page,
}) => {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Access' }).click();
  const own = page.getByRole('row', { name: /owner this page/ });
  await expect(own).toContainText('system/*.*');
  await expect(own.getByRole('button')).toHaveCount(0);
  await page.getByRole('button', { name: 'Mint token' }).click();
  const form = page.getByRole('dialog', { name: 'Mint token' });
  await form.getByLabel('Name').fill('x');
  for (const type of ['CarePlan', 'Composition']) {
    for (const letter of ['Read', 'Search']) {
      await form.getByRole('checkbox', { name: `${letter} ${type}` }).uncheck();
    }
  }
  await expect(form.getByRole('button', { name: 'Mint token' })).toBeDisabled();
  await form.getByRole('checkbox', { name: /^Everything/ }).check();
  await expect(form).toContainText('system/*.*');
  await form.getByRole('button', { name: 'Mint token' }).click();
  await expect(page.getByRole('dialog', { name: 'Token x' })).toBeVisible();
});
