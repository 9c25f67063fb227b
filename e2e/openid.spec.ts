/* Tests sign-in and sign-out at an OpenID provider in a real browser. */
import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { clientId, clientSecret, startIssuer } from '../server/shared/openid/testing/issuer.ts';
import { Frame } from './frame-page.ts';
import { makeDataDir, removeDataDir, startTestServer } from './server.ts';

test('signs a person in with their organization, shows the name, and signs out there too @sign-in @browser', async ({
  page,
}) => {
  const issuer = await startIssuer();
  const dataDir = await makeDataDir();
  const [file, secret] = [`${dataDir}.openid.json`, `${dataDir}.secret`];
  writeFileSync(secret, `${clientSecret}\n`, { mode: 0o600 });
  const settings = {
    issuer: issuer.origin,
    clientId,
    clientSecretFile: secret,
    roles: { steward: 'system/*.*' },
  };
  writeFileSync(file, JSON.stringify(settings));
  const server = await startTestServer(dataDir, ['--openid', file]);

  await page.goto(server.origin);
  await page.getByRole('link', { name: 'Sign in with your organization' }).click();
  await expect(page.getByRole('navigation').first()).toBeVisible();
  expect(page.url()).toBe(`${server.origin}/`);
  const sessions = await page.request.get(`${server.origin}/app/sessions`, {
    headers: { Authorization: `Bearer ${server.token}` },
  });
  expect(JSON.stringify(await sessions.json())).toMatch(/"name":"a\.miller \([0-9a-f]{8}\)"/);

  await new Frame(page).run('Sign out');
  await expect(page.getByRole('heading', { name: 'Signed out' })).toBeVisible();
  expect(page.url()).toContain(`${issuer.origin}/sign-out?`);
  await page.goto(server.origin);
  await expect(page.getByRole('link', { name: 'Sign in with your organization' })).toBeVisible();

  await server.stop();
  await issuer.close();
  await removeDataDir(dataDir);
});
