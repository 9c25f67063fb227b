/** Row 29: what another server answers is not believed until it is what was asked for. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { connect, type Connected } from './testing/connect.ts';
import { fhir, startPeer, type Peer } from './testing/peer.ts';

let server: TestServer;
let peer: Peer;
let there: Connected;
beforeAll(async () => {
  server = await startTestServer();
  peer = await startPeer((_seen, response) => void response.end());
  there = await connect(server, { baseUrl: `${peer.origin}/fhir` });
});
afterAll(() => Promise.all([server.remove(), peer.close()]));

const plan = (id: string, more = {}) => ({ resourceType: 'CarePlan', id, status: 'active', ...more });
const other = plan('SOMEONE-ELSE', { subject: { reference: 'Patient/canary-4410' } });
const bundle = (...resources: object[]) => ({
  resourceType: 'Bundle',
  type: 'searchset',
  entry: resources.map((resource) => ({ resource })),
});
const outcome = { resourceType: 'OperationOutcome', issue: [{ severity: 'warning', code: 'informational' }] };

async function asked(method: string, place: string, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  peer.answer((_seen, response) => fhir(response, 200, text, { ETag: 'W/"7"' }));
  return there.send(method, place, method === 'GET' ? undefined : '{}');
}

test.each([
  ['a read', 'GET', '/CarePlan/a', other],
  ['a read, with another type', 'GET', '/CarePlan/a', { ...plan('a'), resourceType: 'Patient' }],
  ['a read, with an outcome', 'GET', '/CarePlan/a', outcome],
  ['a read, with a Bundle', 'GET', '/CarePlan/a', bundle(plan('a'))],
  ['a read, with no id', 'GET', '/CarePlan/a', { resourceType: 'CarePlan' }],
  ['a read, with two ids', 'GET', '/CarePlan/a', '{"resourceType":"CarePlan","id":"a","id":"b"}'],
  ['a version', 'GET', '/CarePlan/a/_history/2', other],
  ['a version, with another one', 'GET', '/CarePlan/a/_history/2', plan('a', { meta: { versionId: '3' } })],
  ['a search', 'GET', '/CarePlan?status=active', bundle({ resourceType: 'Patient', id: 'canary-4410' })],
  [
    'a search, with one among many',
    'GET',
    '/CarePlan?status=active',
    bundle(plan('a'), { resourceType: 'Patient' }),
  ],
  ['a search, with a record', 'GET', '/CarePlan?status=active', plan('a')],
  ['a history', 'GET', '/CarePlan/a/_history', bundle(plan('a'), other)],
  ['no JSON', 'GET', '/CarePlan/a', '{"resourceType" this is not json }'],
])(
  '%s is answered 502 in a sentence, and nothing of it comes through',
  async (_what, method, place, body) => {
    const answer = await asked(method, place, body);
    expect([answer.status, answer.json.resourceType]).toEqual([502, 'OperationOutcome']);
    expect(answer.json.issue[0].details.text).toContain(new URL(peer.origin).host);
    expect(answer.text).not.toMatch(/canary|SOMEONE/);
    expect(answer.headers.get('etag')).toBeNull();
    expect(answer.headers.get('x-chartkeeper-unconfirmed')).toBeNull();
  },
);

test.each([
  ['PUT', other],
  ['PATCH', other],
  ['PUT', { resourceType: 'Patient', id: 'a' }],
])('the answer of a %s that is another record leaves the write unconfirmed', async (method, body) => {
  const answer = await asked(method, '/CarePlan/a', body);
  expect([answer.status, answer.headers.get('x-chartkeeper-unconfirmed')]).toEqual([502, 'true']);
  expect(answer.text).not.toMatch(/canary|SOMEONE/);
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
])('%s %s passes where it is what was asked for', async (method, place, body) => {
  const answer = await asked(method, place, body);
  expect([answer.status, answer.text]).toEqual([200, JSON.stringify(body)]);
});

test('a page is a search of the type that was asked: in its address and in what it lists', async () => {
  const page = (query: string) => server.send('GET', `/app/connections/${there.id}/page?${query}`);
  const link = encodeURIComponent(`${peer.origin}/fhir?_getpages=1`);
  const composition = encodeURIComponent(`${peer.origin}/fhir/Composition?page=2`);
  peer.answer((_seen, response) => fhir(response, 200, JSON.stringify(bundle(plan('a')))));
  expect((await page(`type=CarePlan&link=${link}`)).status).toBe(200);
  expect((await page(`type=Composition&link=${link}`)).status).toBe(502);
  expect((await page(`type=CarePlan&link=${composition}`)).status).toBe(400);
  expect((await page(`type=Patient&link=${link}`)).status).toBe(400);
});

test('a large answer is looked at in a thread, and one of too many values refused, while others are answered', async () => {
  const many = bundle(...Array.from({ length: 5000 }, (_, n) => plan(`p${n}`, { title: 'x'.repeat(200) })));
  expect((await asked('GET', '/CarePlan?status=active', many)).status).toBe(200);
  expect(
    (
      await asked(
        'GET',
        '/CarePlan?status=active',
        bundle(...many.entry.map(({ resource }) => resource), other),
      )
    ).status,
  ).toBe(200);
  const stray = { resourceType: 'Patient' };
  expect(
    (
      await asked(
        'GET',
        '/CarePlan?status=active',
        bundle(...many.entry.map(({ resource }) => resource), stray),
      )
    ).status,
  ).toBe(502);
});

test('a switch of protocols that nobody asked for is a fault at once, and leaves a write unconfirmed', async () => {
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
  const read = await connected.send('GET', '/CarePlan/a');
  expect([read.status, read.headers.get('x-chartkeeper-unconfirmed')]).toEqual([502, null]);
  expect(read.json.issue[0].details.text).toContain('switched to another protocol');
  const write = await connected.send('PUT', '/CarePlan/a', '{}');
  expect([write.status, write.headers.get('x-chartkeeper-unconfirmed')]).toEqual([502, 'true']);
  switching.close();
  switching.closeAllConnections();
});
