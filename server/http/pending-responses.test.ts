/** A client that does not read its response uses little memory and is disconnected later. */
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { limits } from '../../core/api/contract.ts';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';

const type = '/fhir-r4/v1/CarePlan';
const bytes = 5_000_000;
const records = 6;

let server: TestServer;
let path: string;
let bundle: string;
beforeAll(async () => {
  server = await startTestServer();
  const notes = Array(5)
    .fill(`{"text":"${'a'.repeat(bytes / 5)}"}`)
    .join();
  for (let index = 0; index < records; index += 1) {
    const { json } = await server.send('POST', type, carePlan('Patient/1', `,"note":[${notes}]`));
    path = `${type}/${String(json.id)}`;
  }
  bundle = (await server.send('GET', `${type}?subject=Patient/1`)).text;
});
afterAll(() => server.remove());
afterEach(() => void vi.useRealTimers());

/** Requests an address and reads nothing until told to. */
function requestUnread(address: string): Socket {
  const { host, port } = new URL(server.origin);
  const socket = connect(Number(port), '127.0.0.1').pause();
  socket.on('error', () => undefined);
  socket.write(
    `GET ${address} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${server.token}\r\nConnection: close\r\n\r\n`,
  );
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Resolves after many turns of the server in this process. */
async function waitTurns(count = 200): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Reads until the connection closes. Returns the number of bytes. */
async function countBytes(socket: Socket): Promise<number> {
  let length = 0;
  socket.on('data', (chunk: Buffer) => (length += chunk.length)).resume();
  await new Promise((resolve) => socket.once('close', resolve));
  return length;
}

test('streams a large Bundle of the stored records with total and links', async () => {
  const parsed = JSON.parse(bundle) as { total: number; entry: { resource: unknown }[] };
  expect([parsed.total, parsed.entry.length]).toEqual([records, records]);
  const { text } = await server.send('GET', path);
  expect(bundle).toContain(text);
  const { headers } = await server.send('GET', `${type}?subject=Patient/1`);
  expect(headers.get('content-length')).toBeNull();
  const history = (await server.send('GET', `${type}/_history`)).json;
  expect(history.entry).toHaveLength(records);
});

test('formats or reduces a large Bundle record by record', async () => {
  const pretty = await server.send('GET', `${type}?subject=Patient/1&_pretty=true`);
  expect(pretty.text).toBe(JSON.stringify(pretty.json, null, 2));
  expect(pretty.json.entry).toEqual((JSON.parse(bundle) as { entry: unknown }).entry);
  const part = (await server.send('GET', `${type}?subject=Patient/1&_elements=status`)).json;
  expect(part.entry).toHaveLength(records);
  expect(part.entry[0].resource.note).toBeUndefined();
});

test.each([
  ['a Bundle', `${type}?subject=Patient/1`],
  ['a history', `${type}/_history`],
  ['an export', '/app/export'],
  ['a record', undefined],
])('disconnects a client that stops reading %s', async (_, address) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const reader = requestUnread(address ?? path);
  await waitTurns();
  await vi.advanceTimersByTimeAsync(29_000);
  await waitTurns();
  const slow = requestUnread(address ?? path);
  await waitTurns();
  await vi.advanceTimersByTimeAsync(1000);
  await waitTurns();
  vi.useRealTimers();
  const [droppedLength, fullLength] = await Promise.all([countBytes(reader), countBytes(slow)]);
  expect(droppedLength).toBeLessThan(fullLength);
  expect(fullLength).toBeGreaterThan(bytes);
});

test('serves a slow reader completely', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const reader = requestUnread(`${type}?subject=Patient/1`);
  let length = 0;
  let requestedBytes = 0;
  reader.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length >= requestedBytes) reader.pause();
  });
  const open = () => !reader.closed;
  while (open()) {
    // More than connections buffer, so that the server can send part of it.
    requestedBytes += 6_000_000;
    reader.resume();
    while (open() && length < requestedBytes) await waitTurns(1);
    await vi.advanceTimersByTimeAsync(20_000);
  }
  expect(length).toBeGreaterThan(bundle.length);
});

test('rejects large responses beyond 256 MiB with 503 and serves small ones', async () => {
  // More than the limit, because connections buffer part of it.
  const readers = Array.from({ length: 2 * Math.ceil(limits.underWay / bytes) }, () => requestUnread(path));
  await expect.poll(async () => (await server.send('GET', path)).status, { timeout: 30_000 }).toBe(503);
  const rejection = await server.send('GET', path);
  expect([rejection.headers.get('retry-after'), rejection.json.issue[0].code]).toEqual(['5', 'throttled']);
  expect((await server.send('GET', `${type}/none`)).status).toBe(404);
  expect((await server.send('POST', type, carePlan('Patient/2'))).status).toBe(201);
  for (const reader of readers) reader.destroy();
  await expect.poll(async () => (await server.send('GET', path)).status).toBe(200);
});
