/** Responses of other servers are trusted only if they match the request. Row 29 of docs/api-rows.md. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { connect, type Connected } from './testing/connect.ts';
import { sendFhir, startPeer, type Peer } from './testing/peer.ts';

let server: TestServer;
let peer: Peer;
let connection: Connected;
beforeAll(async () => {
  server = await startTestServer();
  peer = await startPeer((_request, response) => void response.end());
  connection = await connect(server, { baseUrl: `${peer.origin}/fhir` });
});
afterAll(() => Promise.all([server.remove(), peer.close()]));

const plan = (id: string, members = {}) => ({ resourceType: 'CarePlan', id, status: 'active', ...members });
const otherPlan = plan('SOMEONE-ELSE', { subject: { reference: 'Patient/canary-4410' } });
const bundle = (...resources: object[]) => ({
  resourceType: 'Bundle',
  type: 'searchset',
  entry: resources.map((resource) => ({ resource })),
});
const outcome = { resourceType: 'OperationOutcome', issue: [{ severity: 'warning', code: 'informational' }] };

async function requestRecord(method: string, path: string, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  peer.answer((_request, response) => sendFhir(response, 200, text, { ETag: 'W/"7"' }));
  return connection.send(method, path, method === 'GET' ? undefined : '{}');
}

test.each([
  ['a read', 'GET', '/CarePlan/a', otherPlan],
  ['a read, with another type', 'GET', '/CarePlan/a', { ...plan('a'), resourceType: 'Patient' }],
  ['a read, with an outcome', 'GET', '/CarePlan/a', outcome],
  ['a read, with a Bundle', 'GET', '/CarePlan/a', bundle(plan('a'))],
  ['a read, with no id', 'GET', '/CarePlan/a', { resourceType: 'CarePlan' }],
  ['a read, with two ids', 'GET', '/CarePlan/a', '{"resourceType":"CarePlan","id":"a","id":"b"}'],
  ['a version', 'GET', '/CarePlan/a/_history/2', otherPlan],
  ['a version, with another one', 'GET', '/CarePlan/a/_history/2', plan('a', { meta: { versionId: '3' } })],
  ['a search', 'GET', '/CarePlan?status=active', bundle({ resourceType: 'Patient', id: 'canary-4410' })],
  [
    'a search, with one among many',
    'GET',
    '/CarePlan?status=active',
    bundle(plan('a'), { resourceType: 'Patient' }),
  ],
  ['a search, with a record', 'GET', '/CarePlan?status=active', plan('a')],
  ['a history', 'GET', '/CarePlan/a/_history', bundle(plan('a'), otherPlan)],
  ['no JSON', 'GET', '/CarePlan/a', '{"resourceType" this is not json }'],
])(
  'returns 502 with a message for %s and forwards nothing of it',
  async (_description, method, path, body) => {
    const response = await requestRecord(method, path, body);
    expect([response.status, response.json.resourceType]).toEqual([502, 'OperationOutcome']);
    expect(response.json.issue[0].details.text).toContain(new URL(peer.origin).host);
    expect(response.text).not.toMatch(/canary|SOMEONE/);
    expect(response.headers.get('etag')).toBeNull();
    expect(response.headers.get('x-chartkeeper-unconfirmed')).toBeNull();
  },
);

test.each([
  ['PUT', otherPlan],
  ['PATCH', otherPlan],
  ['PUT', { resourceType: 'Patient', id: 'a' }],
])('leaves a %s unconfirmed if its response is another record', async (method, body) => {
  const response = await requestRecord(method, '/CarePlan/a', body);
  expect([response.status, response.headers.get('x-chartkeeper-unconfirmed')]).toEqual([502, 'true']);
  expect(response.text).not.toMatch(/canary|SOMEONE/);
});

test.each([
  ['GET', '/CarePlan/a', plan('a')],
  ['GET', '/CarePlan/a/_history/2', plan('a', { meta: { versionId: '2' } })],
  ['PUT', '/CarePlan/a', outcome],
  ['GET', '/CarePlan?status=active', outcome],
  ['GET', '/CarePlan?status=active', bundle(plan('a'), plan('b'), outcome)],
  [
    'GET',
    '/CarePlan?status=active',
    {
      resourceType: 'Bundle',
      entry: [{ resource: { resourceType: 'Patient', id: 'p' }, search: { mode: 'include' } }],
    },
  ],
  [
    'GET',
    '/CarePlan/a/_history',
    { resourceType: 'Bundle', entry: [{ request: { method: 'DELETE', url: 'x' } }] },
  ],
])('forwards the response to %s %s if it matches the request', async (method, path, body) => {
  const response = await requestRecord(method, path, body);
  expect([response.status, response.text]).toEqual([200, JSON.stringify(body)]);
});

test('requires a page to have the searched type in address and content', async () => {
  const page = (query: string) => server.send('GET', `/app/connections/${connection.id}/page?${query}`);
  const link = encodeURIComponent(`${peer.origin}/fhir?_getpages=1`);
  const composition = encodeURIComponent(`${peer.origin}/fhir/Composition?page=2`);
  peer.answer((_request, response) => sendFhir(response, 200, JSON.stringify(bundle(plan('a')))));
  expect((await page(`type=CarePlan&link=${link}`)).status).toBe(200);
  expect((await page(`type=Composition&link=${link}`)).status).toBe(502);
  expect((await page(`type=CarePlan&link=${composition}`)).status).toBe(400);
  expect((await page(`type=Patient&link=${link}`)).status).toBe(400);
});

test('reads a large response in a worker and rejects one of too many values', async () => {
  const largeBundle = bundle(
    ...Array.from({ length: 5000 }, (_, n) => plan(`p${n}`, { title: 'x'.repeat(200) })),
  );
  expect((await requestRecord('GET', '/CarePlan?status=active', largeBundle)).status).toBe(200);
  expect(
    (
      await requestRecord(
        'GET',
        '/CarePlan?status=active',
        bundle(...largeBundle.entry.map(({ resource }) => resource), otherPlan),
      )
    ).status,
  ).toBe(200);
  const stray = { resourceType: 'Patient' };
  expect(
    (
      await requestRecord(
        'GET',
        '/CarePlan?status=active',
        bundle(...largeBundle.entry.map(({ resource }) => resource), stray),
      )
    ).status,
  ).toBe(502);
});

test('rejects an unrequested protocol switch at once and leaves a write unconfirmed', async () => {
  const switching = createServer();
  switching.on('connection', (socket) => {
    socket.on('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    );
  });
  switching.listen(0, '127.0.0.1');
  await once(switching, 'listening');
  const { port } = switching.address() as AddressInfo;
  const connected = await connect(server, { baseUrl: `http://127.0.0.1:${port}/fhir`, timeoutSeconds: 60 });
  const readResponse = await connected.send('GET', '/CarePlan/a');
  expect([readResponse.status, readResponse.headers.get('x-chartkeeper-unconfirmed')]).toEqual([502, null]);
  expect(readResponse.json.issue[0].details.text).toContain('switched to another protocol');
  const write = await connected.send('PUT', '/CarePlan/a', '{}');
  expect([write.status, write.headers.get('x-chartkeeper-unconfirmed')]).toEqual([502, 'true']);
  switching.close();
  switching.closeAllConnections();
});
