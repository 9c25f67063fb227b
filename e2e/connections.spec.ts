import { generateKeyPairSync } from 'node:crypto';
import {
  proxyTo,
  startIdentityProvider,
  type IdentityProvider,
} from '../server/gateway/testing/identity-provider.ts';
import { expectAccessible } from './axe.ts';
import { expect, test as base } from './fixtures.ts';
import { Connections, type ConnectionFields } from './remote-page.ts';
import { readPlan, RecordPage, storePlan } from './record-page.ts';
import { makeDataDir, removeDataDir, startTestServer, type TestServer } from './server.ts';

interface Hospital {
  readonly server: TestServer;
  /** Stands before the server and wants its own tokens. */
  readonly idp: IdentityProvider;
}

const test = base.extend<{ hospital: Hospital; connections: Connections }>({
  // The runner wants the braces, whatever is taken of them.
  // eslint-disable-next-line no-empty-pattern
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

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const keys = {
  privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  publicKey: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
};

/** A connection of each kind to the server behind the identity provider. */
function kinds({ server, idp }: Hospital): readonly ConnectionFields[] {
  return [
    {
      name: 'By token',
      baseUrl: server.origin,
      authentication: 'Bearer token',
      fields: { 'Access token': server.token },
    },
    {
      name: 'By secret',
      baseUrl: idp.base,
      authentication: 'OAuth 2 client credentials',
      fields: { 'Client id': 'ward', 'Client secret': 'ward-secret' },
    },
    {
      name: 'By key',
      baseUrl: idp.base,
      authentication: 'SMART Backend Services (private key)',
      fields: { 'Client id': 'robot', 'Private key (PEM or JWK)': keys.privateKey },
    },
  ];
}

test('@long a server is worked on with each kind of authentication', async ({
  workbench,
  connections,
  hospital,
}) => {
  test.setTimeout(120_000);
  const { page } = workbench;
  const { server, idp } = hospital;
  idp.clients.set('ward', { secret: 'ward-secret' });
  idp.clients.set('robot', { publicKey: keys.publicKey, algorithm: 'RS384' });
  idp.clients.set('desktop', {});
  const id = await storePlan(server);
  const record = new RecordPage(page);

  let before = 'As agreed';
  async function edit(name: string) {
    await record.open();
    await workbench.replaceInEditor(before, name);
    await record.startReview();
    await record.save();
    await expect(record.review).toBeHidden();
    expect(await readPlan(server, id)).toContain(name);
    before = name;
  }

  for (const kind of kinds(hospital)) {
    await connections.add({ ...kind, writes: 'Send without asking' });
    await edit(kind.name);
  }
  expect(new Set(idp.grants)).toEqual(new Set(['client_credentials']));

  // A sign-in in a window of its own; what is kept of it is seen in the dialog.
  await connections.startAdding({
    name: 'By sign-in',
    baseUrl: idp.base,
    writes: 'Send without asking',
    authentication: 'Sign-in in the browser (authorization code with PKCE)',
    fields: { 'Client id': 'desktop' },
  });
  await expect(connections.dialog.getByText('Not signed in.')).toBeVisible();
  const opened = page.context().waitForEvent('page');
  await connections.dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  const window = await opened;
  await expect(window.getByRole('heading')).toBeVisible();
  await window.close();
  await expect(connections.dialog.getByText('Signed in.', { exact: true })).toBeVisible();
  await connections.save();
  await connections.worksOn('By sign-in');
  await edit('By sign-in');
  expect(idp.grants).toContain('authorization_code');

  // No authentication: the other server refuses, which asks for no token of this page.
  await connections.add({ name: 'By nothing', baseUrl: idp.base });
  await page.getByRole('tab', { name: 'Exact' }).click();
  await expect(page.getByText('The record was not read.')).toBeVisible();
  // A secret that is missing is asked for where the work is.
  await connections.add({ name: 'By no secret', baseUrl: idp.base, authentication: 'Bearer token' });
  await expect(page.getByText('This connection has no secret yet.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Open connection' }).click();
  await expect(connections.dialog.getByLabel('Name')).toHaveValue('By no secret');
  await expect(page.getByText('Access token needed')).toHaveCount(0);
});

test('a connection is added, mended, tested and removed; its dialog is accessible', async ({
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

  // Its secret goes in and never comes back.
  const { origin, token } = hospital.server;
  await connections.fill({
    name: 'Ward',
    baseUrl: origin,
    authentication: 'Bearer token',
    fields: { 'Access token': token },
  });
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect(dialog.getByRole('status', { name: 'Test' })).toContainText('Chartkeeper');
  await expect(dialog.getByLabel('Access token', { exact: true })).toHaveValue('');
  await expect(dialog.getByText('A secret is kept.')).toBeVisible();
  await expect(dialog.getByText('forgotten when the program ends')).toBeVisible();
  await expectAccessible(page);
  // Another address drops it, which is said before.
  await dialog.getByLabel('Base URL').fill('https://fhir.example.org');
  await expect(dialog.getByText('the secret that is kept is dropped')).toBeVisible();
  await dialog.getByLabel('Base URL').fill(origin);
  await connections.save();

  // Read-only is where every connection begins: a lock, and the gateway's refusal.
  await connections.worksOn('Ward');
  await expect(connections.switcher.getByRole('img', { name: 'read-only' })).toBeVisible();
  await storePlan(hospital.server);
  const record = new RecordPage(page);
  await record.open();
  await workbench.replaceInEditor('As agreed', 'Refused');
  await record.startReview();
  await record.save();
  await expect(record.review.getByText(/The connection Ward is read-only: nothing is sent/)).toBeVisible();

  // A reload stays with it; its draft is offered there, and nowhere else.
  await record.review.getByRole('button', { name: 'Keep editing' }).click();
  await record.draftSaved();
  await connections.turnTo('Local');
  await expect(status).toContainText('Working on Local; an unsaved text of Ward is kept as a draft');
  await expect(page.getByRole('navigation', { name: 'Views' })).not.toContainText('Draft');
  await connections.turnTo('Ward');
  await page.reload();
  await connections.worksOn('Ward');
  await page.getByRole('tab', { name: 'Exact' }).click();
  await record.drafts.getByRole('button', { name: 'Restore' }).click();
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
