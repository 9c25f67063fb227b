import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { connect } from './testing/connect.ts';
import { honest, startPeer, type Peer } from './testing/peer.ts';

let server: TestServer;
let peer: Peer;
beforeAll(async () => {
  server = await startTestServer();
  peer = await startPeer(honest);
});
afterAll(() => Promise.all([server.remove(), peer.close()]));
beforeEach(() => {
  peer.seen.length = 0;
});

const writes = [
  ['POST', '/CarePlan'],
  ['PUT', '/CarePlan/a'],
  ['PATCH', '/CarePlan/a'],
  ['POST', '/CarePlan/$validate'],
  ['POST', '/Composition'],
  ['PUT', '/Composition/a'],
  ['PATCH', '/Composition/a'],
  ['POST', '/Composition/$validate'],
] as const;

const reads = [
  ['GET', '/metadata'],
  ['GET', '/CarePlan?status=active'],
  ['GET', '/CarePlan/a'],
  ['HEAD', '/CarePlan/a'],
  ['GET', '/CarePlan/_history'],
  ['GET', '/CarePlan/a/_history'],
  ['GET', '/CarePlan/a/_history/1'],
] as const;

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

test('read-only: reads and both kinds of search pass, every write is refused whatever it says', async () => {
  const there = await connect(server, { baseUrl: peer.origin, mode: 'read-only', name: 'Hospital' });
  const { host } = new URL(peer.origin);
  for (const [method, place] of reads)
    expect([place, (await there.send(method, place)).status]).toEqual([place, 200]);
  expect((await there.send('POST', '/CarePlan/_search', 'status=active', form)).status).toBe(200);
  expect(peer.seen.at(-1)?.body.toString()).toBe('status=active');
  peer.seen.length = 0;
  for (const [method, place] of writes) {
    const answer = await there.send(method, place, '{}', {
      'X-Chartkeeper-Confirmed': host,
      'X-Chartkeeper-Mode': 'normal',
    });
    expect([answer.status, answer.json.issue?.[0].details.text]).toEqual([
      403,
      `The connection Hospital is read-only: nothing is sent to ${host}. Its mode is changed in the connection.`,
    ]);
  }
  expect(peer.seen).toEqual([]);
});

test('confirm: a write passes when it names the host, and no other way', async () => {
  const there = await connect(server, { baseUrl: peer.origin, mode: 'confirm' });
  const { host } = new URL(peer.origin);
  for (const [method, place] of writes) {
    for (const confirmed of [undefined, '', 'true', '127.0.0.1', 'other.example']) {
      const headers = confirmed === undefined ? {} : { 'X-Chartkeeper-Confirmed': confirmed };
      const answer = await there.send(method, place, '{}', headers);
      expect([answer.status, answer.json.issue?.[0].location]).toEqual([
        428,
        ['http.X-Chartkeeper-Confirmed'],
      ]);
    }
  }
  expect(peer.seen).toEqual([]);
  for (const [method, place] of writes) {
    expect((await there.send(method, place, '{}', { 'X-Chartkeeper-Confirmed': host })).status).toBe(200);
  }
  expect(peer.seen).toHaveLength(writes.length);
  expect(peer.seen[0]?.headers['x-chartkeeper-confirmed']).toBeUndefined();
  expect((await there.send('GET', '/CarePlan/a')).status).toBe(200);
});

test('normal: every write passes, its body byte for byte', async () => {
  const there = await connect(server, { baseUrl: peer.origin, mode: 'normal' });
  const body = '{ "n" : 1.2300e2, "a":12345678901234567890.0 }\n';
  for (const [method, place] of writes) {
    expect((await there.send(method, place, body)).status).toBe(200);
    expect(peer.seen.at(-1)?.body.toString()).toBe(body);
  }
});
