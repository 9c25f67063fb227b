/** Apache httpd that packs JSON writes the coding into each ETag: no change of another client is overwritten for it. */
import { onTestFinished, describe, expect, test } from 'vitest';
import { createClient } from '../../core/api/client.ts';
import type { RemoteServer } from '../../core/api/remote.ts';
import { connect } from '../gateway/testing/connect.ts';
import { fhir, startPeer } from '../gateway/testing/peer.ts';
import { hasApache, startApache } from '../testing/apache.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

const plan = (parts: Readonly<Record<string, unknown>> = {}) =>
  JSON.stringify({
    ...{ resourceType: 'CarePlan', status: 'active', intent: 'plan', title: 'Exact' },
    ...{ subject: { reference: 'Patient/17' }, ...parts },
  });

/** A server, and the address of an Apache before it. */
async function behindApache(): Promise<{ server: TestServer; origin: string }> {
  const server = await startTestServer({ allowHosts: ['127.0.0.1'] });
  onTestFinished(() => server.remove());
  return { server, origin: await packing(server.origin) };
}

async function packing(target: string): Promise<string> {
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

const titled = (text: string, title: string) => text.replace('"title":"Exact"', `"title":"${title}"`);
const patch = (path: string, value: string) => JSON.stringify([{ op: 'replace', path, value }]);

describe.skipIf(!hasApache)('behind Apache httpd (not run where it is not installed)', () => {
  test('refuses a save over the change of another client, and stores what starts from the newest version', async () => {
    const { server, origin } = await behindApache();
    const client = clientAt(origin, server);
    const { text } = await client.create('CarePlan', plan());
    const { id } = JSON.parse(text) as { id: string };
    const mine = await client.read('CarePlan', id);
    expect(mine).toMatchObject({ version: 1, etag: 'W/"1"' });
    const other = await client.patch('CarePlan', id, patch('/subject/reference', 'Patient/18'), mine);
    expect(other).toMatchObject({ version: 2, etag: 'W/"2"' });

    const late = [
      () => client.update('CarePlan', id, titled(mine.text, 'Mine'), mine),
      () => client.update('CarePlan', id, titled(mine.text, 'Mine'), { text: mine.text }),
      () => client.patch('CarePlan', id, patch('/title', 'Mine'), mine),
    ];
    for (const write of late) await expect(write()).rejects.toMatchObject({ status: 412, currentVersion: 2 });
    const saved = await client.update('CarePlan', id, titled(other.text, 'Mine'), other);
    expect(saved.version).toBe(3);
    const stored = await server.send('GET', `/fhir-r4/v1/CarePlan/${id}`);
    expect(stored.json).toMatchObject({ title: 'Mine', subject: { reference: 'Patient/18' } });
  });

  test('takes the ETags that programs send back as they came', async () => {
    const { server, origin } = await behindApache();
    const authorization = { Authorization: `Bearer ${server.token}` };
    const made = await clientAt(origin, server).create('CarePlan', plan());
    const { id } = JSON.parse(made.text) as { id: string };
    const address = `${origin}/fhir-r4/v1/CarePlan/${id}`;
    const first = await fetch(address, { headers: authorization });
    const etag = first.headers.get('ETag') ?? '';
    // Else the test is about nothing: this Apache writes no coding into a tag.
    expect(etag).toBe('W/"1-gzip"');
    expect((await fetch(address, { headers: { ...authorization, 'If-None-Match': etag } })).status).toBe(304);
    const put = async (title: string) =>
      fetch(address, {
        method: 'PUT',
        headers: { ...authorization, 'Content-Type': 'application/json', 'If-Match': etag },
        body: plan({ id, title }),
      });
    expect((await put('Mine')).status).toBe(200);
    expect((await put('Late')).status).toBe(412);
    expect((await fetch(address, { headers: { ...authorization, 'If-None-Match': etag } })).status).toBe(200);
  });

  test('is reached through the gateway of another server: read, save and patch name the version', async () => {
    const { server, origin } = await behindApache();
    const here = await startTestServer();
    onTestFinished(() => here.remove());
    const baseUrl = `${origin}/fhir-r4/v1`;
    const connected = await connect(here, { baseUrl, authentication: { kind: 'bearer' } }, server.token);
    const client = clientAt(here.origin, here, { id: connected.id, baseUrl });
    const { text } = await client.create('CarePlan', plan());
    const { id } = JSON.parse(text) as { id: string };
    expect((await connected.send('GET', `/CarePlan/${id}`)).headers.get('ETag')).toBe('W/"1"');
    const mine = await client.read('CarePlan', id);
    const saved = await client.update('CarePlan', id, titled(mine.text, 'Mine'), mine);
    const patched = await client.patch('CarePlan', id, patch('/title', 'Patched'), saved);
    expect(patched).toMatchObject({ version: 3, etag: 'W/"3"' });
    await expect(client.update('CarePlan', id, mine.text, mine)).rejects.toMatchObject({ status: 412 });
    await expect(client.patch('CarePlan', id, patch('/title', 'Late'), saved)).rejects.toMatchObject({
      status: 412,
    });
  });

  test('hands the tags of a server without version ids through two Apaches as that server gave them', async () => {
    const peer = await startPeer(({ headers }, response) => {
      const isStale = headers['if-match'] !== undefined && headers['if-match'] !== '"5f0e"';
      fhir(response, isStale ? 412 : 200, isStale ? '' : plan({ id: 'a' }), { ETag: '"5f0e"' });
    });
    onTestFinished(() => peer.close());
    const { server, origin } = await behindApache();
    const baseUrl = await packing(peer.origin);
    const { id } = await connect(server, { baseUrl });
    const client = clientAt(origin, server, { id, baseUrl });
    const from = await client.read('CarePlan', 'a');
    await client.update('CarePlan', 'a', titled(from.text, 'Mine'), from);
    await client.patch('CarePlan', 'a', patch('/title', 'Mine'), from);
    const writes = peer.seen.filter(({ method }) => method === 'PUT' || method === 'PATCH');
    const matches = writes.map(({ headers }) => headers['if-match']);
    expect(matches).toEqual(['"5f0e"', '"5f0e"']);
  });
});
