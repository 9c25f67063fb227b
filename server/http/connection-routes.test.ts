import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConnectionList, ConnectionTest } from '../../core/app/connections.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { connect } from '../gateway/testing/connect.ts';
import { startIdentityProvider } from '../gateway/testing/identity-provider.ts';
import { sendFhir, startPeer } from '../gateway/testing/peer.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const unnamedSettings = { baseUrl: 'https://fhir.example.org', authentication: { kind: 'bearer' } };
const settings = { name: 'Hospital', ...unnamedSettings };
const update = (id: string, value: unknown) =>
  server.send('PUT', `/app/connections/${id}`, JSON.stringify(value));
const setSecret = (id: string, secret: string) =>
  server.send('PUT', `/app/connections/${id}/secret`, JSON.stringify({ secret }));
const readSummary = async (id: string) => (await server.send('GET', `/app/connections/${id}`)).json;

test('creates, lists, changes and removes a connection with safe defaults', async () => {
  const createResponse = await server.send('POST', '/app/connections', JSON.stringify(settings));
  expect(createResponse.status).toBe(201);
  const { id, ...createdSettings } = createResponse.json;
  expect(createdSettings).toEqual({
    name: 'Hospital',
    baseUrl: 'https://fhir.example.org/fhir-r4/v1',
    host: 'fhir.example.org',
    colour: 'blue',
    mode: 'read-only',
    authentication: { kind: 'bearer' },
    timeoutSeconds: 30,
    encounterParameter: 'encounter',
    patchType: 'application/json-patch+json',
    proxy: { kind: 'default' },
    secretSet: false,
    proxySecretSet: false,
    certificateSecretSet: false,
    access: 'needs-secret',
  });
  const list = await server.send('GET', '/app/connections');
  expect(matchesSchema(ConnectionList, list.json)).toBe(true);
  expect(list.json).toEqual({
    secrets: 'session',
    proxySecretSet: false,
    connections: [createResponse.json],
  });
  const otherSettings = { name: 'Clinic', mode: 'confirm', colour: 'red', environment: 'test' };
  expect((await update(id, { ...settings, ...otherSettings })).json).toMatchObject({ id, ...otherSettings });
  const duplicateName = await server.send(
    'POST',
    '/app/connections',
    JSON.stringify({ ...settings, name: 'clinic' }),
  );
  expect([duplicateName.status, duplicateName.json.issue[0].expression]).toEqual([409, ['name']]);
  expect((await server.send('DELETE', `/app/connections/${id}`)).status).toBe(204);
  expect((await server.send('GET', `/app/connections/${id}`)).status).toBe(404);
  expect((await update(id, settings)).status).toBe(404);
});

test('never returns a secret and removes it with its connection', async () => {
  const { id } = await connect(server, unnamedSettings);
  expect(await setSecret(id, 'canary-bearer-1')).toMatchObject({ status: 204, text: '' });
  const list = await server.send('GET', '/app/connections');
  expect(list.text).not.toContain('canary');
  expect((await readSummary(id)).secretSet).toBe(true);
  expect((await server.send('GET', `/app/connections/${id}/secret`)).status).toBe(405);
  expect((await server.send('DELETE', `/app/connections/${id}/secret`)).status).toBe(204);
  expect((await readSummary(id)).secretSet).toBe(false);
});

test('never sends a secret to another server or for another use', async () => {
  const { id } = await connect(server, unnamedSettings);
  const name = (await readSummary(id)).name;
  const harmlessChanges = [{ colour: 'red' }, { mode: 'normal' }, { timeoutSeconds: 5 }, { name: 'Renamed' }];
  await setSecret(id, 'canary-bearer-2');
  for (const change of harmlessChanges) {
    await update(id, { ...settings, name, ...change });
    expect((await readSummary(id)).secretSet).toBe(true);
  }
  await connect(server, { ...unnamedSettings, name: 'Taken' });
  expect(
    (await update(id, { ...settings, name: 'taken', baseUrl: 'https://other.example.org' })).status,
  ).toBe(409);
  expect((await readSummary(id)).secretSet).toBe(true);
  const dropping = [
    { proxy: { kind: 'address', url: 'http://proxy.example.org:3128' } },
    { baseUrl: 'https://other.example.org' },
    { baseUrl: 'https://fhir.example.org/other' },
    { authentication: { kind: 'client-credentials', clientId: 'c' } },
    {
      authentication: {
        kind: 'client-credentials',
        clientId: 'c',
        tokenEndpoint: 'https://evil.example/token',
      },
    },
  ];
  for (const change of dropping) {
    await update(id, { ...settings, name, ...change });
    expect([change, (await readSummary(id)).secretSet]).toEqual([change, false]);
    await setSecret(id, 'canary-secret-3');
    expect((await readSummary(id)).secretSet).toBe(true);
  }
});

test('accepts the previous name of a color and returns the current name', async () => {
  const settings = { name: 'Former', baseUrl: 'https://former.example.org', colour: 'grape' };
  const { status, json } = await server.send('POST', '/app/connections', JSON.stringify(settings));
  expect([status, json.colour]).toEqual([201, 'purple']);
  await server.send('DELETE', `/app/connections/${json.id}`);
});

test('reports each invalid setting and stores nothing', async () => {
  const before = (await server.send('GET', '/app/connections')).text;
  const wrong = {
    name: 'Local',
    baseUrl: 'http://user:pass@fhir.example.org',
    colour: 'beige',
    mode: 'careful',
    timeoutSeconds: 0,
    encounterParameter: 'a b',
    patchType: 'text/plain',
    authentication: { kind: 'smart-backend', algorithm: 'RS256', tokenEndpoint: 'http://idp.example/token' },
    token: 'x',
  };
  const answer = await server.send('POST', '/app/connections', JSON.stringify(wrong));
  expect(answer.status).toBe(400);
  expect(answer.json.issue.map((issue: any) => issue.expression?.[0]).sort()).toEqual([
    'authentication.algorithm',
    'authentication.clientId',
    'authentication.tokenEndpoint',
    'baseUrl',
    'colour',
    'encounterParameter',
    'mode',
    'name',
    'patchType',
    'timeoutSeconds',
    undefined,
  ]);
  expect((await server.send('GET', '/app/connections')).text).toBe(before);
});

test.each(['{}', '{"secret":""}', '{"secret":5}', '{"secret":"with spaces in it"}', '[]'])(
  'rejects a body without a valid secret: %s',
  async (body) => {
    const { id } = await connect(server, unnamedSettings);
    expect((await server.send('PUT', `/app/connections/${id}/secret`, body)).status).toBe(400);
  },
);

test('explains a failed test', async () => {
  const peer = await startPeer(
    (_request, response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'),
  );
  const { host } = new URL(peer.origin);
  const { id } = await connect(server, { baseUrl: peer.origin });
  const test = async () => {
    const { json } = await server.send('POST', `/app/connections/${id}/test`);
    expect(matchesSchema(ConnectionTest, json)).toBe(true);
    return json;
  };
  expect((await test()).text).toBe(
    `${host} responds, but not with a FHIR CapabilityStatement as JSON. Check the base URL.`,
  );
  peer.answer((_request, response) => void response.writeHead(404).end());
  expect((await test()).text).toBe(`${host} answered 404 to /metadata. Check the base URL.`);
  peer.answer(({ url }, response) =>
    url.endsWith('/metadata')
      ? sendFhir(response, 200, '{"resourceType":"CapabilityStatement","fhirVersion":"5.0.0"}')
      : void response.writeHead(403).end(),
  );
  expect(await test()).toMatchObject({
    ok: true,
    types: {},
    remarks: [
      'The server uses a FHIR version other than R4 (4.0).',
      'The server doesn’t list CarePlan.',
      'The server doesn’t list Composition.',
      'The server doesn’t allow this connection to search CarePlan (403).',
    ],
  });
  peer.answer(({ url }, response) =>
    url.endsWith('/metadata')
      ? sendFhir(response, 200, '{"resourceType":"CapabilityStatement"}')
      : void response.writeHead(401).end(),
  );
  expect((await test()).text).toBe(
    'The server requires credentials. Choose an authentication method in the connection.',
  );
  await peer.close();
  expect((await test()).text).toContain('refused the connection');
});

test('logs remote requests under the name of the connection', async () => {
  const peer = await startPeer(({ method }, response) =>
    sendFhir(
      response,
      200,
      method === 'GET'
        ? '{"resourceType":"Bundle","type":"searchset"}'
        : '{"resourceType":"CarePlan","id":"a","meta":{"versionId":"8"}}',
      { ETag: 'W/"8"' },
    ),
  );
  const wardConnection = await connect(server, { baseUrl: peer.origin, name: 'Ward', mode: 'normal' });
  await wardConnection.send('GET', '/CarePlan?status=active');
  await wardConnection.send('PUT', '/CarePlan/a', '{}', { 'If-Match': 'W/"7"' });
  await wardConnection.send('DELETE', '/CarePlan/a');
  const link = encodeURIComponent(`${peer.origin}/fhir-r4/v1?_getpages=1`);
  await server.send('GET', `/app/connections/${wardConnection.id}/page?link=${link}`);
  const { entries } = (await server.send('GET', '/app/activity?count=4')).json;
  const logLines = entries.map(({ connection, kind, method, path, status, record }: any) => [
    connection,
    kind,
    method,
    path,
    status,
    record,
  ]);
  expect(logLines).toEqual([
    ['Ward', 'read', 'GET', '/fhir-r4/v1?_getpages=1', 200, undefined],
    ['Ward', 'write', 'DELETE', '/fhir-r4/v1/CarePlan/a', 405, { type: 'CarePlan', id: 'a' }],
    [
      'Ward',
      'write',
      'PUT',
      '/fhir-r4/v1/CarePlan/a',
      200,
      { type: 'CarePlan', id: 'a', before: 7, after: 8 },
    ],
    ['Ward', 'search', 'GET', '/fhir-r4/v1/CarePlan?status=active', 200, undefined],
  ]);
  await peer.close();
});

test('discloses no secret, token or code in a response or file', async () => {
  const ownServer = await startTestServer();
  const idp = await startIdentityProvider((_request, response) =>
    sendFhir(response, 200, '{"resourceType":"CarePlan"}'),
  );
  idp.clients.set('feed', { secret: 'canary-client-secret' });
  idp.clients.set('desktop', {});
  const answers: string[] = [];
  const record = async (pending: Promise<{ text: string; headers: Headers }>) => {
    const { text, headers } = await pending;
    answers.push(text, JSON.stringify([...headers]));
  };
  const header = { 'X-Chartkeeper-Client': 'workbench' };
  const bearer = await connect(
    ownServer,
    { baseUrl: idp.base, authentication: { kind: 'bearer' } },
    'canary-bearer-token',
  );
  const feed = await connect(
    ownServer,
    { baseUrl: idp.base, authentication: { kind: 'client-credentials', clientId: 'feed' } },
    'canary-client-secret',
  );
  const desktop = await connect(ownServer, {
    baseUrl: idp.base,
    authentication: { kind: 'authorization-code', clientId: 'desktop' },
  });
  const { address } = (
    await ownServer.send('POST', `/app/connections/${desktop.id}/sign-in`, undefined, header)
  ).json;
  await record(fetch(address).then(async (page) => ({ text: await page.text(), headers: page.headers })));
  for (const connection of [bearer, feed, desktop]) {
    await record(connection.send('GET', '/CarePlan/a', undefined, header));
    await record(connection.send('PUT', '/CarePlan/a', '{}', header));
    await record(ownServer.send('POST', `/app/connections/${connection.id}/test`, undefined, header));
    await record(ownServer.send('GET', `/app/connections/${connection.id}`));
  }
  await record(
    ownServer.send('PUT', `/app/connections/${bearer.id}/secret`, '{"secret":"canary-bearer-token"}', header),
  );
  await record(ownServer.send('GET', '/app/connections'));
  await record(ownServer.send('GET', '/app/activity?count=200'));
  const canaries = ['canary', ...idp.issuedTokens];
  expect(idp.issuedTokens.length).toBeGreaterThan(3);
  const files = await Promise.all(
    (await readdir(ownServer.dataDir, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => readFile(join(entry.parentPath, entry.name))),
  );
  expect(files.length).toBeGreaterThan(1);
  for (const canary of canaries) {
    expect(answers.filter((answer) => answer.includes(canary))).toEqual([]);
    expect(files.filter((file) => file.includes(canary))).toEqual([]);
  }
  await Promise.all([ownServer.remove(), idp.peer.close()]);
});
