/** The page's own client against servers of every kind, through the gateway. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../core/api/client.ts';
import { ApiFailure, isTokenRefused, Unconfirmed } from '../../core/api/failure.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { connect } from './testing/connect.ts';
import { startForeignServer, type ForeignServer } from './testing/foreign-server.ts';
import { fhir, startPeer, type Answerer, type Peer } from './testing/peer.ts';

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
  const peer = await startPeer((seen, response) =>
    seen.url.endsWith('/metadata') ? fhir(response, 404, '{}') : answer(seen, response),
  );
  peers.push(peer);
  return peer;
}

const bundle = (parts: Readonly<Record<string, unknown>>) =>
  JSON.stringify({ resourceType: 'Bundle', type: 'searchset', ...parts });

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

test('the ETag of a server whose versions are no numbers goes back as it came', async () => {
  const stored = await fetch(`${foreign.base}/CarePlan`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/fhir+json' },
    body: plan('As agreed'),
  });
  const { id } = (await stored.json()) as { id: string };
  const client = await clientOf(foreign.base);
  const first = await client.read('CarePlan', id);
  expect(first.etag).toMatch(/^W\/"[0-9a-f-]{36}"$/);
  expect(first.version).toBeUndefined();

  const second = await client.update('CarePlan', id, first.text.replace('As agreed', 'Mine'), first);
  expect(second.etag).not.toBe(first.etag);
  expect(second.text).toContain('Mine');
  const late = await failureOf(client.update('CarePlan', id, first.text, first));
  expect(late).toMatchObject({ name: 'ApiFailure', status: 412 });

  const operations = '[{"op":"replace","path":"/description","value":"Patched"}]';
  expect((await client.patch('CarePlan', id, operations, second)).text).toContain('Patched');

  const { versions } = await client.history('CarePlan', id);
  expect(versions.map(({ version, operation, paths }) => [version, operation, paths])).toEqual([
    [3, 'update', ['/description']],
    [2, 'update', ['/description']],
    [1, 'create', []],
  ]);
  expect((await client.readVersion('CarePlan', id, 1)).text).toContain('As agreed');
});

test('a bare id is asked for as a reference, and every page of links is read', async () => {
  const client = await clientOf(foreign.base);
  const subject = 'many';
  for (let number = 0; number < 5; number += 1) {
    await fetch(`${foreign.base}/CarePlan`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/fhir+json' },
      body: plan(`Plan ${number}`).replace('Patient/17', `Patient/${subject}`),
    });
  }
  const found: string[] = [];
  let page = await client.search('CarePlan', [
    ['subject', subject],
    ['_count', '2'],
  ]);
  expect(page.total).toBe(5);
  for (;;) {
    found.push(...page.records.map(({ text }) => /Plan \d/.exec(text)?.[0] ?? ''));
    if (page.next === undefined) break;
    page = await client.nextPage('CarePlan', page.next);
  }
  expect(found.sort()).toEqual(['Plan 0', 'Plan 1', 'Plan 2', 'Plan 3', 'Plan 4']);
});

test('a server of this product is asked with the bare id, which finds every form', async () => {
  const other = await startTestServer();
  const urn = plan('By URN').replace('Patient/17', 'urn:uuid:17');
  await other.send('POST', '/fhir-r4/v1/CarePlan', urn);
  const baseUrl = `${other.origin}/fhir-r4/v1`;
  const client = await clientOf(baseUrl, { authentication: { kind: 'bearer' } }, other.token);
  expect((await client.search('CarePlan', [['subject', '17']])).total).toBe(1);
  await other.remove();
});

test('a token that another server refuses is the connection’s matter, not this page’s', async () => {
  const other = await startTestServer();
  const client = await clientOf(`${other.origin}/fhir-r4/v1`);
  const refused = await failureOf(client.search('CarePlan', [['subject', '17']]));
  expect(refused).toMatchObject({ status: 401 });
  expect(isTokenRefused(refused)).toBe(false);
  const local = createClient({ base: server.origin, fetch: (address, init) => fetch(address, init) });
  expect(isTokenRefused(await failureOf(local.read('CarePlan', 'a')))).toBe(true);
  await other.remove();
});

test('a Bundle may lack entry and total, name outcomes among the matches, and lead to itself', async () => {
  let answer = bundle({});
  const peer = await peerOf((_seen, response) => fhir(response, 200, answer));
  const client = await clientOf(`${peer.origin}/fhir-r4/v1`);
  const search = () => client.search('CarePlan', [['subject', '17']]);
  expect(await search()).toEqual({ total: 0, records: [] });
  expect(peer.seen.at(-1)?.url).toContain('subject=Patient%2F17');

  const mixed = [
    { resource: JSON.parse(plan('One', 'a')) as unknown, search: { mode: 'match' } },
    { resource: { resourceType: 'OperationOutcome', issue: [] }, search: { mode: 'outcome' } },
    { resource: { resourceType: 'Patient', id: '17' }, search: { mode: 'include' } },
  ];
  answer = bundle({ entry: mixed });
  expect(await search()).toMatchObject({ total: 1, records: [{ text: plan('One', 'a') }] });

  const next = `${peer.origin}/fhir-r4/v1?page=2`;
  answer = bundle({ entry: mixed, link: [{ relation: 'next', url: next }] });
  expect(await search()).toMatchObject({ total: 1, atLeast: true, next });
  expect((await client.nextPage('CarePlan', next)).next).toBeUndefined();
  answer = bundle({ entry: mixed, link: [{ relation: 'next', url: '?page=3' }] });
  expect((await client.nextPage('CarePlan', next)).next).toBe('?page=3');
  await client.nextPage('CarePlan', '?page=3');
  expect(peer.seen.at(-1)?.url).toBe('/fhir-r4/v1?page=3');

  answer =
    '{"resourceType":"OperationOutcome","issue":[{"severity":"error","code":"x","diagnostics":"No."}]}';
  expect(await failureOf(search())).toMatchObject({ message: 'No.' });
});

test('a server without ETags is compared before the write, and a change of others refuses it', async () => {
  let held = plan('As agreed', 'a');
  const peer = await peerOf(({ method, body }, response) => {
    if (method === 'PUT') held = body.toString('utf8');
    // Some servers answer a write with nothing, others with an outcome: the record is read then.
    fhir(response, 200, method === 'PUT' ? '' : held);
  });
  const client = await clientOf(peer.origin);
  const first = await client.read('CarePlan', 'a');
  expect(first.etag).toBeUndefined();
  const saved = await client.update('CarePlan', 'a', plan('Mine', 'a'), first);
  expect(saved.text).toContain('Mine');
  expect(peer.seen.find(({ method }) => method === 'PUT')?.headers['if-match']).toBeUndefined();

  held = plan('Theirs', 'a');
  const late = await failureOf(client.update('CarePlan', 'a', plan('Mine again', 'a'), saved));
  expect(late).toBeInstanceOf(ApiFailure);
  expect(late).toMatchObject({ status: 412 });
  expect(held).toContain('Theirs');
  expect(peer.seen.filter(({ method }) => method === 'PUT')).toHaveLength(1);
});

test('a write whose fate is not known is no refusal, and its sentence says so', async () => {
  const peer = await peerOf(({ method }, response) => {
    if (method === 'GET') fhir(response, 200, plan('As agreed', 'a'), { ETag: 'W/"1"' });
    else response.destroy();
  });
  const client = await clientOf(peer.origin);
  const first = await client.read('CarePlan', 'a');
  const lost = await failureOf(client.update('CarePlan', 'a', plan('Mine', 'a'), first));
  expect(lost).toBeInstanceOf(Unconfirmed);
  expect(lost).toMatchObject({ message: expect.stringContaining('It is not known whether') });
  await peer.close();
  peers.splice(peers.indexOf(peer), 1);
  // Nothing went out: a plain failure.
  const gone = await failureOf(client.update('CarePlan', 'a', plan('Mine', 'a'), first));
  expect(gone).toMatchObject({ name: 'ApiFailure', status: 502 });
});

test('text instead of an outcome, and a server that is slow, each become a sentence', async () => {
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
    message: expect.stringContaining('did not answer within the time limit'),
  });
});

test('where each write is confirmed, it goes out with the host alone', async () => {
  const peer = await peerOf((_seen, response) => fhir(response, 200, plan('Held', 'a'), { ETag: 'W/"1"' }));
  const client = await clientOf(peer.origin, { mode: 'confirm' });
  const from = await client.read('CarePlan', 'a');
  const asked = await failureOf(client.update('CarePlan', 'a', from.text, from));
  expect(asked).toMatchObject({ status: 428, message: expect.stringContaining('is confirmed') });
  const { host } = new URL(peer.origin);
  expect((await client.update('CarePlan', 'a', from.text, { ...from, confirmed: host })).text).toContain(
    'Held',
  );
});

test('a server that refuses the parameters which shape an answer is asked without them from then on', async () => {
  const peer = await peerOf(({ url }, response) => {
    const { searchParams } = new URL(url, 'http://x');
    if (['_elements', '_total'].some((name) => searchParams.has(name))) fhir(response, 400, '{}');
    else if (searchParams.has('status')) fhir(response, 400, outcome('No status here.'));
    else fhir(response, 200, bundle({ total: 0 }));
  });
  const client = await clientOf(peer.origin);
  const pairs = [
    ['subject', '17'],
    ['_elements', 'status'],
  ] as const;
  expect((await client.search('CarePlan', pairs)).total).toBe(0);
  const before = peer.seen.length;
  expect((await client.search('CarePlan', pairs)).total).toBe(0);
  expect(peer.seen.length).toBe(before + 1);
  const refused = await failureOf(client.search('CarePlan', [...pairs, ['status', 'x']]));
  expect(refused).toMatchObject({ status: 400, message: 'No status here.' });
});

test('a reference is read where it names a resource of that server, and nothing is asked otherwise', async () => {
  const peer = await peerOf(({ url }, response) => {
    if (url === '/fhir/Patient/17') fhir(response, 200, '{"resourceType":"Patient","id":"17","x":1.10}');
    else fhir(response, 404, outcome('There is none.'));
  });
  const base = `${peer.origin}/fhir`;
  const client = await clientOf(base);
  for (const reference of ['Patient/17', 'Patient/17/_history/2', `${base}/Patient/17`])
    expect(await client.referred(reference)).toBe('{"resourceType":"Patient","id":"17","x":1.10}');
  expect(await client.referred('Encounter/none')).toBeUndefined();
  const asked = peer.seen.length;
  for (const reference of [
    ...['urn:uuid:0d1e2f3a-0000-4000-8000-0000000000ee', 'https://elsewhere.example/Patient/17'],
    ...['#p', 'Patient', '../Patient/17', 'patient/17'],
  ])
    expect([reference, await client.referred(reference)]).toEqual([reference, undefined]);
  expect(peer.seen).toHaveLength(asked);
});
