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
  peer.requests.length = 0;
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

test('forwards reads and searches and rejects every write if read-only', async () => {
  const connected = await connect(server, { baseUrl: peer.origin, mode: 'read-only', name: 'Hospital' });
  const { host } = new URL(peer.origin);
  for (const [method, path] of reads)
    expect([path, (await connected.send(method, path)).status]).toEqual([path, 200]);
  expect((await connected.send('POST', '/CarePlan/_search', 'status=active', form)).status).toBe(200);
  expect(peer.requests.at(-1)?.body.toString()).toBe('status=active');
  peer.requests.length = 0;
  for (const [method, path] of writes) {
    const response = await connected.send(method, path, '{}', {
      'X-Chartkeeper-Confirmed': host,
      'X-Chartkeeper-Mode': 'normal',
    });
    expect([response.status, response.json.issue?.[0].details.text]).toEqual([
      403,
      `The connection Hospital is read-only. Nothing was sent to ${host}. You can change this in the connection’s settings.`,
    ]);
  }
  expect(peer.requests).toEqual([]);
});

test('forwards a write only if it names the host if each write is confirmed', async () => {
  const connected = await connect(server, { baseUrl: peer.origin, mode: 'confirm' });
  const { host } = new URL(peer.origin);
  for (const [method, path] of writes) {
    for (const confirmed of [undefined, '', 'true', '127.0.0.1', 'other.example']) {
      const headers = confirmed === undefined ? {} : { 'X-Chartkeeper-Confirmed': confirmed };
      const response = await connected.send(method, path, '{}', headers);
      expect([response.status, response.json.issue?.[0].location]).toEqual([
        428,
        ['http.X-Chartkeeper-Confirmed'],
      ]);
    }
  }
  expect(peer.requests).toEqual([]);
  for (const [method, path] of writes) {
    expect((await connected.send(method, path, '{}', { 'X-Chartkeeper-Confirmed': host })).status).toBe(200);
  }
  expect(peer.requests).toHaveLength(writes.length);
  expect(peer.requests[0]?.headers['x-chartkeeper-confirmed']).toBeUndefined();
  expect((await connected.send('GET', '/CarePlan/a')).status).toBe(200);
});

test('forwards every write byte for byte in normal mode', async () => {
  const connected = await connect(server, { baseUrl: peer.origin, mode: 'normal' });
  const body = '{ "n" : 1.2300e2, "a":12345678901234567890.0 }\n';
  for (const [method, path] of writes) {
    expect((await connected.send(method, path, body)).status).toBe(200);
    expect(peer.requests.at(-1)?.body.toString()).toBe(body);
  }
});
