/** Apache httpd adds a suffix, such as `-gzip`, to each ETag. Clients must still detect the changes of others. */
import { onTestFinished, describe, expect, test } from 'vitest';
import { createClient } from '../../core/api/client.ts';
import type { RemoteServer } from '../../core/api/remote.ts';
import { connect } from '../gateway/testing/connect.ts';
import { sendFhir, startPeer } from '../gateway/testing/peer.ts';
import { hasApache, startApache } from '../testing/apache.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

const planWith = (members: Readonly<Record<string, unknown>> = {}) =>
  JSON.stringify({
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    title: 'Exact',
    subject: { reference: 'Patient/17' },
    ...members,
  });

/** Starts a server behind an Apache. Returns the server and the address of the Apache. */
async function startServerBehindApache(): Promise<{ server: TestServer; origin: string }> {
  const server = await startTestServer({ allowHosts: ['127.0.0.1'] });
  onTestFinished(() => server.remove());
  return { server, origin: await startCompressingProxy(server.origin) };
}

async function startCompressingProxy(target: string): Promise<string> {
  const apache = await startApache(target);
  onTestFinished(() => apache.close());
  return apache.origin;
}

function clientAt(base: string, { token }: TestServer, remote?: RemoteServer) {
  return createClient({
    base,
    fetch: (address, init) => fetch(address, init),
    token: () => token,
    ...(remote && { remote }),
  });
}

const withTitle = (text: string, title: string) => text.replace('"title":"Exact"', `"title":"${title}"`);
const replacePatch = (path: string, value: string) => JSON.stringify([{ op: 'replace', path, value }]);

describe.skipIf(!hasApache)('behind Apache httpd (not run if not installed)', () => {
  test('rejects a save based on an outdated version, and stores one based on the latest', async () => {
    const { server, origin } = await startServerBehindApache();
    const client = clientAt(origin, server);
    const { text } = await client.create('CarePlan', planWith());
    const { id } = JSON.parse(text) as { id: string };
    const ourVersion = await client.read('CarePlan', id);
    expect(ourVersion).toMatchObject({ version: 1, etag: 'W/"1"' });
    const theirVersion = await client.patch(
      'CarePlan',
      id,
      replacePatch('/subject/reference', 'Patient/18'),
      ourVersion,
    );
    expect(theirVersion).toMatchObject({ version: 2, etag: 'W/"2"' });

    const outdatedWrites = [
      () => client.update('CarePlan', id, withTitle(ourVersion.text, 'Mine'), ourVersion),
      () => client.update('CarePlan', id, withTitle(ourVersion.text, 'Mine'), { text: ourVersion.text }),
      () => client.patch('CarePlan', id, replacePatch('/title', 'Mine'), ourVersion),
    ];
    for (const write of outdatedWrites)
      await expect(write()).rejects.toMatchObject({ status: 412, currentVersion: 2 });
    const savedVersion = await client.update(
      'CarePlan',
      id,
      withTitle(theirVersion.text, 'Mine'),
      theirVersion,
    );
    expect(savedVersion.version).toBe(3);
    const storedPlan = await server.send('GET', `/fhir-r4/v1/CarePlan/${id}`);
    expect(storedPlan.json).toMatchObject({ title: 'Mine', subject: { reference: 'Patient/18' } });
  });

  test('accepts the ETags that Apache has changed', async () => {
    const { server, origin } = await startServerBehindApache();
    const authorization = { Authorization: `Bearer ${server.token}` };
    const createdPlan = await clientAt(origin, server).create('CarePlan', planWith());
    const { id } = JSON.parse(createdPlan.text) as { id: string };
    const address = `${origin}/fhir-r4/v1/CarePlan/${id}`;
    const firstResponse = await fetch(address, { headers: authorization });
    const etag = firstResponse.headers.get('ETag') ?? '';
    // Proves that this Apache changes ETags.
    expect(etag).toBe('W/"1-gzip"');
    expect((await fetch(address, { headers: { ...authorization, 'If-None-Match': etag } })).status).toBe(304);
    const update = async (title: string) =>
      fetch(address, {
        method: 'PUT',
        headers: { ...authorization, 'Content-Type': 'application/json', 'If-Match': etag },
        body: planWith({ id, title }),
      });
    expect((await update('Mine')).status).toBe(200);
    expect((await update('Late')).status).toBe(412);
    expect((await fetch(address, { headers: { ...authorization, 'If-None-Match': etag } })).status).toBe(200);
  });

  test('detects conflicts through the gateway of another server', async () => {
    const { server, origin } = await startServerBehindApache();
    const gatewayServer = await startTestServer();
    onTestFinished(() => gatewayServer.remove());
    const baseUrl = `${origin}/fhir-r4/v1`;
    const connected = await connect(
      gatewayServer,
      { baseUrl, authentication: { kind: 'bearer' } },
      server.token,
    );
    const client = clientAt(gatewayServer.origin, gatewayServer, { id: connected.id, baseUrl });
    const { text } = await client.create('CarePlan', planWith());
    const { id } = JSON.parse(text) as { id: string };
    expect((await connected.send('GET', `/CarePlan/${id}`)).headers.get('ETag')).toBe('W/"1"');
    const ourVersion = await client.read('CarePlan', id);
    const savedVersion = await client.update('CarePlan', id, withTitle(ourVersion.text, 'Mine'), ourVersion);
    const patchedVersion = await client.patch(
      'CarePlan',
      id,
      replacePatch('/title', 'Patched'),
      savedVersion,
    );
    expect(patchedVersion).toMatchObject({ version: 3, etag: 'W/"3"' });
    await expect(client.update('CarePlan', id, ourVersion.text, ourVersion)).rejects.toMatchObject({
      status: 412,
    });
    await expect(
      client.patch('CarePlan', id, replacePatch('/title', 'Late'), savedVersion),
    ).rejects.toMatchObject({
      status: 412,
    });
  });

  test('passes foreign ETags through two Apaches unchanged', async () => {
    const peer = await startPeer(({ headers }, response) => {
      const isStale = headers['if-match'] !== undefined && headers['if-match'] !== '"5f0e"';
      sendFhir(response, isStale ? 412 : 200, isStale ? '' : planWith({ id: 'a' }), { ETag: '"5f0e"' });
    });
    onTestFinished(() => peer.close());
    const { server, origin } = await startServerBehindApache();
    const baseUrl = await startCompressingProxy(peer.origin);
    const { id } = await connect(server, { baseUrl });
    const client = clientAt(origin, server, { id, baseUrl });
    const readVersion = await client.read('CarePlan', 'a');
    await client.update('CarePlan', 'a', withTitle(readVersion.text, 'Mine'), readVersion);
    await client.patch('CarePlan', 'a', replacePatch('/title', 'Mine'), readVersion);
    const writes = peer.requests.filter(({ method }) => method === 'PUT' || method === 'PATCH');
    const ifMatchHeaders = writes.map(({ headers }) => headers['if-match']);
    expect(ifMatchHeaders).toEqual(['"5f0e"', '"5f0e"']);
  });
});
