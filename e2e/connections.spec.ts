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
  /** Stands before the server and wants its own tokens. */
  readonly idp: IdentityProvider;
}

const test = base.extend<{ hospital: Hospital; connections: Connections }>({
  // The runner wants the braces, whatever is taken of them.
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

// Secrets and judged records of other servers are each server's own.
test.use({ servers: 1 });

test(
  'a server that refuses, and a secret that is missing, are told of where the work is',
  { tag: '@long' },
  async ({ workbench, connections, hospital }) => {
    const { page } = workbench;
    await storePlan(hospital.server);
    hospital.idp.clients.set('ward', { secret: 'ward-secret' });
    await connections.add({
      name: 'By secret',
      baseUrl: hospital.idp.base,
      authentication: 'OAuth 2 client credentials',
      fields: { 'Client id': 'ward', 'Client secret': 'ward-secret' },
    });
    await new RecordPage(page).open();

    // No authentication: the other server refuses, which asks for no token of this page.
    await connections.add({ name: 'By nothing', baseUrl: hospital.idp.base });
    await page.getByRole('tab', { name: /^Exact/ }).click();
    await expect(page.getByText('The record was not read.')).toBeVisible();
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

test('a connection is added, mended, tested and removed; its dialog is accessible @long', async ({
  workbench,
  connections,
  hospital,
}) => {
  const { page, status } = workbench;
  const { dialog } = connections;
  await connections.startAdding({ name: 'Local', baseUrl: 'ftp://x' });
  await dialog.getByRole('button', { name: 'Save connection' }).click();
  await expect(dialog.getByText(/A name is 1 to 60 characters/)).toBeVisible();
  await expect(dialog.getByText(/An absolute https address/)).toBeVisible();
  await expectAccessible(page);

  // Nothing listens there.
  await connections.fill({ name: 'Ward', baseUrl: 'http://127.0.0.1:9' });
  await expect(dialog.getByText('Requests go to http://127.0.0.1:9/fhir-r4/v1')).toBeVisible();
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect(dialog.getByRole('alert')).toContainText('refuses the connection');

  const { origin, token } = hospital.server;
  await connections.fill({
    name: 'Ward',
    baseUrl: origin,
    authentication: 'Bearer token',
    fields: { 'Access token': token },
  });
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect(dialog.getByRole('status', { name: 'Test' })).toContainText('Chartkeeper');
  await expect(dialog.getByRole('list', { name: 'Steps of the test' })).toContainText('The token is taken.');
  await expectAccessible(page);
  await connections.save();
  await connections.worksOn('Ward');

  // Its secret went in and never comes back.
  await new Frame(page).run('Edit this connection');
  await expect(dialog.getByLabel('Access token', { exact: true })).toHaveValue('');
  await expect(dialog.getByText('A secret is kept.')).toBeVisible();
  await expect(dialog.getByText('forgotten when the program ends')).toBeVisible();
  await expectAccessible(page);
  // Another address drops it, which is said before.
  await dialog.getByLabel('Base URL').fill('https://fhir.example.org');
  await expect(dialog.getByText('The stored secret will be deleted')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  // Read-only is where every connection begins: a lock, and what cannot be done says why.
  await expect(connections.switcher.getByRole('img', { name: 'read-only' })).toBeVisible();
  await storePlan(hospital.server);
  const record = new RecordPage(page);
  await record.open();
  await workbench.replaceInEditor('As agreed', 'Refused');
  const review = page.getByRole('button', { name: 'Review changes' });
  await expect(review).toHaveAttribute('aria-disabled', 'true');
  await review.hover();
  await expect(page.getByText(/^The connection Ward is read-only: nothing is changed there/)).toBeVisible();

  // A reload stays with it; its draft comes back there, and nowhere else.
  await record.draftSaved();
  await connections.turnTo('Local');
  await expect(status).toContainText('Working on Local; an unsaved text of Ward is kept as a draft');
  await expect(page.getByRole('navigation', { name: 'Views' })).not.toContainText('Draft');
  await connections.turnTo('Ward');
  await page.reload();
  await connections.worksOn('Ward');
  await page.getByRole('tab', { name: /^Exact/ }).click();
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

test('commands lead to the list of connections, to a new one and to the one that is worked on @long', async ({
  workbench,
  connections,
}) => {
  const { page, status } = workbench;
  const frame = new Frame(page);
  await frame.run('Edit this connection');
  await expect(status).toContainText('The local server has no connection to edit.');
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
