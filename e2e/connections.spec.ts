import {
  proxyTo,
  startIdentityProvider,
  type IdentityProvider,
} from '../server/gateway/testing/identity-provider.ts';
import { expectAccessible } from './axe.ts';
import { expect, test as base } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { Connections } from './remote-page.ts';
import { RecordPage, storePlan } from './record-page.ts';
import { makeDataDir, removeDataDir, startTestServer, type TestServer } from './server.ts';

interface Hospital {
  readonly server: TestServer;
  /** Precedes the server and requires its own tokens. */
  readonly idp: IdentityProvider;
}

const test = base.extend<{ hospital: Hospital; connections: Connections }>({
  // The runner requires the braces, although nothing is destructured.
  // oxlint-disable-next-line no-empty-pattern
  hospital: async ({}, use) => {
    const dataDir = await makeDataDir();
    const server = await startTestServer(dataDir);
    const idp = await startIdentityProvider(proxyTo(server.origin, server.token));
    await use({ server, idp });
    await idp.peer.close();
    await server.stop();
    await removeDataDir(dataDir);
  },
  connections: async ({ workbench }, use) => {
    await use(new Connections(workbench.page));
  },
});

// Each server has its own secrets and validated remote records.
test.use({ servers: 1 });

test(
  'reports a rejecting server and a missing secret where the user works',
  { tag: '@connections' },
  async ({ workbench, connections, hospital }) => {
    const { page } = workbench;
    await storePlan(hospital.server);
    hospital.idp.clients.set('ward', { secret: 'ward-secret' });
    await connections.add({
      name: 'By secret',
      baseUrl: hospital.idp.base,
      authentication: 'OAuth 2 client credentials',
      fields: { 'Client ID': 'ward', 'Client secret': 'ward-secret' },
    });
    await new RecordPage(page).open();

    // No authentication: the other server rejects the request, but the page's own token stays valid.
    await connections.add({ name: 'By nothing', baseUrl: hospital.idp.base });
    await page.getByRole('tab', { name: /\bExact/ }).click();
    await expect(page.getByText('Couldn’t load the record.')).toBeVisible();
    await connections.add({
      name: 'By no secret',
      baseUrl: hospital.idp.base,
      authentication: 'Bearer token',
    });
    await expect(page.getByText('This connection has no secret yet.')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Open connection' }).click();
    await expect(connections.dialog.getByLabel('Name')).toHaveValue('By no secret');
    await expect(page.getByLabel('Sign-in link or code')).toHaveCount(0);
  },
);

test('adds, corrects, tests and removes a connection in an accessible dialog @connections', async ({
  workbench,
  connections,
  hospital,
}) => {
  const { page, status } = workbench;
  const { dialog } = connections;
  await connections.startAdding({ name: 'Local', baseUrl: 'ftp://x' });
  await dialog.getByRole('button', { name: 'Save connection' }).click();
  await expect(dialog.getByText(/A name must have 1 to 60 characters/)).toBeVisible();
  await expect(dialog.getByText(/Enter an absolute https URL/)).toBeVisible();
  await expectAccessible(page);

  // No server listens there.
  await connections.fill({ name: 'Ward', baseUrl: 'http://127.0.0.1:9' });
  await expect(dialog.getByText('Requests go to http://127.0.0.1:9/fhir-r4/v1')).toBeVisible();
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect(dialog.getByRole('alert')).toContainText('refused the connection');

  const { origin, token } = hospital.server;
  await connections.fill({
    name: 'Ward',
    baseUrl: origin,
    authentication: 'Bearer token',
    fields: { 'Access token': token },
  });
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect(dialog.getByRole('status', { name: 'Test result' })).toContainText('Chartkeeper');
  await expect(dialog.getByRole('list', { name: 'Test steps' })).toContainText('Token accepted.');
  await expectAccessible(page);
  await connections.save();
  await connections.worksOn('Ward');

  // The secret of the connection was sent once and is never returned.
  await new Frame(page).run('Edit this connection');
  await expect(dialog.getByLabel('Access token', { exact: true })).toHaveValue('');
  await expect(dialog.getByText('A secret is stored and never shown.')).toBeVisible();
  await expect(dialog.getByText('kept in memory until you quit')).toBeVisible();
  await expectAccessible(page);
  // Another address drops it, as the dialog announces.
  await dialog.getByLabel('Base URL').fill('https://fhir.example.org');
  await expect(dialog.getByText('The stored secret will be deleted')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  // Every connection starts read-only: a lock, and reasons for unavailable commands.
  await expect(connections.switcher.getByRole('img', { name: 'read-only' })).toBeVisible();
  await storePlan(hospital.server);
  const record = new RecordPage(page);
  await record.open();
  await workbench.replaceInEditor('As agreed', 'Refused');
  const review = page.getByRole('button', { name: 'Review changes' });
  await expect(review).toHaveAttribute('aria-disabled', 'true');
  await review.hover();
  await expect(page.getByText(/^The connection Ward is read-only\./)).toBeVisible();

  // A reload keeps the connection. Its draft returns there and nowhere else.
  await record.draftSaved();
  await connections.turnTo('Local');
  await expect(status).toContainText('Connected to Local. 1 unsaved edit of Ward kept as a draft.');
  await expect(page.getByRole('navigation', { name: 'Views' })).not.toContainText('Draft');
  await connections.turnTo('Ward');
  await page.reload();
  await connections.worksOn('Ward');
  await page.getByRole('tab', { name: /\bExact/ }).click();
  await expect(record.editor).toContainText('Refused');

  await (await connections.openMenu()).getByRole('menuitem', { name: 'Edit connection Ward' }).click();
  await dialog.getByRole('button', { name: 'Remove connection' }).click();
  await page
    .getByRole('dialog', { name: 'Remove Ward?' })
    .getByRole('button', { name: 'Remove connection' })
    .click();
  await connections.worksOn('Local');
  await expect((await connections.openMenu()).getByRole('menuitem', { name: /^Ward/ })).toHaveCount(0);
});

test('opens the list of connections, a new one and the current one by command @connections', async ({
  workbench,
  connections,
}) => {
  const { page, status } = workbench;
  const frame = new Frame(page);
  await frame.run('Edit this connection');
  await expect(status).toContainText('The local server has no connection settings.');
  await frame.run('Add connection');
  await connections.fill({ name: 'Ward', baseUrl: 'http://127.0.0.1:9' });
  await connections.save();
  await connections.worksOn('Ward');
  await frame.run('Edit this connection');
  await expect(connections.dialog.getByLabel('Name')).toHaveValue('Ward');
  await page.keyboard.press('Escape');
  await frame.run('Switch connection');
  await expect(page.getByRole('menu')).toContainText('Ward');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await connections.worksOn('Local');
});
