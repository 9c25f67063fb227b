/** The page's own client against servers of every kind, through the gateway. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../core/api/client.ts';
import { ApiFailure, isTokenRejected, UnconfirmedWriteError } from '../../core/api/failure.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { connect } from './testing/connect.ts';
import { startForeignServer, type ForeignServer } from './testing/foreign-server.ts';
import { sendFhir, startPeer, type Answerer, type Peer } from './testing/peer.ts';

let server: TestServer;
let foreign: ForeignServer;
const peers: Peer[] = [];
beforeAll(async () => {
  [server, foreign] = await Promise.all([startTestServer(), startForeignServer()]);
});
afterAll(async () => {
  await Promise.all([server.remove(), foreign.close(), ...peers.map((peer) => peer.close())]);
});

const plan = (description: string, id?: string) =>
  JSON.stringify({
    resourceType: 'CarePlan',
    ...(id !== undefined && { id }),
    status: 'active',
    intent: 'plan',
    subject: { reference: 'Patient/17' },
    description,
  });

async function clientOf(baseUrl: string, settings: Readonly<Record<string, unknown>> = {}, secret?: string) {
  const { id } = await connect(server, { baseUrl, ...settings }, secret);
  return createClient({
    base: server.origin,
    fetch: (address, init) => fetch(address, init),
    token: () => server.token,
    remote: { id, baseUrl },
  });
}

async function peerOf(answer: Answerer): Promise<Peer> {
  const peer = await startPeer((request, response) =>
    request.url.endsWith('/metadata') ? sendFhir(response, 404, '{}') : answer(request, response),
  );
  peers.push(peer);
  return peer;
}

const bundle = (members: Readonly<Record<string, unknown>>) =>
  JSON.stringify({ resourceType: 'Bundle', type: 'searchset', ...members });

const outcome = (text: string) =>
  JSON.stringify({
    resourceType: 'OperationOutcome',
    issue: [{ severity: 'error', code: 'invalid', details: { text } }],
  });

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('It did not fail.');
    },
    (error: unknown) => error,
  );

test('returns the ETag unchanged if versions are not numbers', async () => {
  const storedResponse = await fetch(`${foreign.baseUrl}/CarePlan`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/fhir+json' },
    body: plan('As agreed'),
  });
  const { id } = (await storedResponse.json()) as { id: string };
  const client = await clientOf(foreign.baseUrl);
  const original = await client.read('CarePlan', id);
  expect(original.etag).toMatch(/^W\/"[0-9a-f-]{36}"$/);
  expect(original.version).toBeUndefined();

  const updated = await client.update('CarePlan', id, original.text.replace('As agreed', 'Mine'), original);
  expect(updated.etag).not.toBe(original.etag);
  expect(updated.text).toContain('Mine');
  const late = await failureOf(client.update('CarePlan', id, original.text, original));
  expect(late).toMatchObject({ name: 'ApiFailure', status: 412 });

  const operations = '[{"op":"replace","path":"/description","value":"Patched"}]';
  expect((await client.patch('CarePlan', id, operations, updated)).text).toContain('Patched');

  const { versions } = await client.history('CarePlan', id);
  expect(versions.map(({ version, operation, paths }) => [version, operation, paths])).toEqual([
    [3, 'update', ['/description']],
    [2, 'update', ['/description']],
    [1, 'create', []],
  ]);
  expect((await client.readVersion('CarePlan', id, 1)).text).toContain('As agreed');
});

test('searches a bare id as a reference and reads all linked pages', async () => {
  const client = await clientOf(foreign.baseUrl);
  const subject = 'many';
  for (let number = 0; number < 5; number += 1) {
    await fetch(`${foreign.baseUrl}/CarePlan`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/fhir+json' },
      body: plan(`Plan ${number}`).replace('Patient/17', `Patient/${subject}`),
    });
  }
  const ids: string[] = [];
  let page = await client.search('CarePlan', [
    ['subject', subject],
    ['_count', '2'],
  ]);
  expect(page.total).toBe(5);
  for (;;) {
    ids.push(...page.records.map(({ text }) => /Plan \d/.exec(text)?.[0] ?? ''));
    if (page.next === undefined) break;
    page = await client.nextPage('CarePlan', page.next);
  }
  expect(ids.sort()).toEqual(['Plan 0', 'Plan 1', 'Plan 2', 'Plan 3', 'Plan 4']);
});

test('searches a bare id unchanged on a server of this product', async () => {
  const otherServer = await startTestServer();
  const urn = plan('By URN').replace('Patient/17', 'urn:uuid:17');
  await otherServer.send('POST', '/fhir-r4/v1/CarePlan', urn);
  const baseUrl = `${otherServer.origin}/fhir-r4/v1`;
  const client = await clientOf(baseUrl, { authentication: { kind: 'bearer' } }, otherServer.token);
  expect((await client.search('CarePlan', [['subject', '17']])).total).toBe(1);
  await otherServer.remove();
});

test('reports a token that another server rejects as a problem of the connection', async () => {
  const otherServer = await startTestServer();
  const client = await clientOf(`${otherServer.origin}/fhir-r4/v1`);
  const failure = await failureOf(client.search('CarePlan', [['subject', '17']]));
  expect(failure).toMatchObject({ status: 401 });
  expect(isTokenRejected(failure)).toBe(false);
  const local = createClient({ base: server.origin, fetch: (address, init) => fetch(address, init) });
  expect(isTokenRejected(await failureOf(local.read('CarePlan', 'a')))).toBe(true);
  await otherServer.remove();
});

test('accepts a Bundle without entry and total, with outcomes, or with a link to itself', async () => {
  let bundleText = bundle({});
  const peer = await peerOf((_request, response) => sendFhir(response, 200, bundleText));
  const client = await clientOf(`${peer.origin}/fhir-r4/v1`);
  const search = () => client.search('CarePlan', [['subject', '17']]);
  expect(await search()).toEqual({ total: 0, records: [] });
  expect(peer.requests.at(-1)?.url).toContain('subject=Patient%2F17');

  const mixed = [
    { resource: JSON.parse(plan('One', 'a')) as unknown, search: { mode: 'match' } },
    { resource: { resourceType: 'OperationOutcome', issue: [] }, search: { mode: 'outcome' } },
    { resource: { resourceType: 'Patient', id: '17' }, search: { mode: 'include' } },
  ];
  bundleText = bundle({ entry: mixed });
  expect(await search()).toMatchObject({ total: 1, records: [{ text: plan('One', 'a') }] });

  const next = `${peer.origin}/fhir-r4/v1?page=2`;
  bundleText = bundle({ entry: mixed, link: [{ relation: 'next', url: next }] });
  expect(await search()).toMatchObject({ total: 1, atLeast: true, next });
  expect((await client.nextPage('CarePlan', next)).next).toBeUndefined();
  bundleText = bundle({ entry: mixed, link: [{ relation: 'next', url: '?page=3' }] });
  expect((await client.nextPage('CarePlan', next)).next).toBe('?page=3');
  await client.nextPage('CarePlan', '?page=3');
  expect(peer.requests.at(-1)?.url).toBe('/fhir-r4/v1?page=3');

  bundleText =
    '{"resourceType":"OperationOutcome","issue":[{"severity":"error","code":"x","diagnostics":"No."}]}';
  expect(await failureOf(search())).toMatchObject({ message: 'No.' });
});

test('compares the record before a write without ETags and rejects a changed one', async () => {
  let storedText = plan('As agreed', 'a');
  const peer = await peerOf(({ method, body }, response) => {
    if (method === 'PUT') storedText = body.toString('utf8');
    // Some servers return an empty body for a write, others an OperationOutcome. The record is then read.
    sendFhir(response, 200, method === 'PUT' ? '' : storedText);
  });
  const client = await clientOf(peer.origin);
  const original = await client.read('CarePlan', 'a');
  expect(original.etag).toBeUndefined();
  const savedVersion = await client.update('CarePlan', 'a', plan('Mine', 'a'), original);
  expect(savedVersion.text).toContain('Mine');
  expect(peer.requests.find(({ method }) => method === 'PUT')?.headers['if-match']).toBeUndefined();

  storedText = plan('Theirs', 'a');
  const late = await failureOf(client.update('CarePlan', 'a', plan('Mine again', 'a'), savedVersion));
  expect(late).toBeInstanceOf(ApiFailure);
  expect(late).toMatchObject({ status: 412 });
  expect(storedText).toContain('Theirs');
  expect(peer.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1);
});

test('reports a write with an unknown result as unconfirmed', async () => {
  const peer = await peerOf(({ method }, response) => {
    if (method === 'GET') sendFhir(response, 200, plan('As agreed', 'a'), { ETag: 'W/"1"' });
    else response.destroy();
  });
  const client = await clientOf(peer.origin);
  const original = await client.read('CarePlan', 'a');
  const lostWrite = await failureOf(client.update('CarePlan', 'a', plan('Mine', 'a'), original));
  expect(lostWrite).toBeInstanceOf(UnconfirmedWriteError);
  expect(lostWrite).toMatchObject({ message: expect.stringContaining('It is not known whether') });
  await peer.close();
  peers.splice(peers.indexOf(peer), 1);
  // Nothing was sent: an ordinary failure.
  const unsentWrite = await failureOf(client.update('CarePlan', 'a', plan('Mine', 'a'), original));
  expect(unsentWrite).toMatchObject({ name: 'ApiFailure', status: 502 });
});

test('turns text without an OperationOutcome and a timeout into a message', async () => {
  const peer = await peerOf(({ url }, response) => {
    if (url.includes('slow')) return;
    response.writeHead(403, { 'Content-Type': 'text/plain' }).end('Computer says no');
  });
  const client = await clientOf(peer.origin);
  expect(await failureOf(client.read('CarePlan', 'a'))).toMatchObject({
    status: 403,
    message: expect.stringContaining('answered 403 (not allowed)'),
  });
  const hasty = await clientOf(peer.origin, { timeoutSeconds: 1 });
  expect(await failureOf(hasty.read('CarePlan', 'slow'))).toMatchObject({
    status: 504,
    message: expect.stringContaining('didn’t answer within the timeout'),
  });
});

test('sends a write only with the host if each write is confirmed', async () => {
  const peer = await peerOf((_request, response) =>
    sendFhir(response, 200, plan('Held', 'a'), { ETag: 'W/"1"' }),
  );
  const client = await clientOf(peer.origin, { mode: 'confirm' });
  const from = await client.read('CarePlan', 'a');
  const unconfirmed = await failureOf(client.update('CarePlan', 'a', from.text, from));
  expect(unconfirmed).toMatchObject({ status: 428, message: expect.stringContaining('need confirmation') });
  const { host } = new URL(peer.origin);
  expect((await client.update('CarePlan', 'a', from.text, { ...from, confirmed: host })).text).toContain(
    'Held',
  );
});

test('stops sending result parameters that a server rejects', async () => {
  const peer = await peerOf(({ url }, response) => {
    const { searchParams } = new URL(url, 'http://x');
    if (['_elements', '_total'].some((name) => searchParams.has(name))) sendFhir(response, 400, '{}');
    else if (searchParams.has('status')) sendFhir(response, 400, outcome('No status here.'));
    else sendFhir(response, 200, bundle({ total: 0 }));
  });
  const client = await clientOf(peer.origin);
  const pairs = [
    ['subject', '17'],
    ['_elements', 'status'],
  ] as const;
  expect((await client.search('CarePlan', pairs)).total).toBe(0);
  const before = peer.requests.length;
  expect((await client.search('CarePlan', pairs)).total).toBe(0);
  expect(peer.requests.length).toBe(before + 1);
  const failure = await failureOf(client.search('CarePlan', [...pairs, ['status', 'x']]));
  expect(failure).toMatchObject({ status: 400, message: 'No status here.' });
});

test('reads a reference only if it names a resource of that server', async () => {
  const peer = await peerOf(({ url }, response) => {
    if (url === '/fhir/Patient/17') sendFhir(response, 200, '{"resourceType":"Patient","id":"17","x":1.10}');
    else sendFhir(response, 404, outcome('There is none.'));
  });
  const base = `${peer.origin}/fhir`;
  const client = await clientOf(base);
  for (const reference of ['Patient/17', 'Patient/17/_history/2', `${base}/Patient/17`])
    expect(await client.referred(reference)).toBe('{"resourceType":"Patient","id":"17","x":1.10}');
  expect(await client.referred('Encounter/none')).toBeUndefined();
  const requestCount = peer.requests.length;
  for (const reference of [
    'urn:uuid:0d1e2f3a-0000-4000-8000-0000000000ee',
    'https://elsewhere.example/Patient/17',
    '#p',
    'Patient',
    '../Patient/17',
    'patient/17',
  ])
    expect([reference, await client.referred(reference)]).toEqual([reference, undefined]);
  expect(peer.requests).toHaveLength(requestCount);
});
