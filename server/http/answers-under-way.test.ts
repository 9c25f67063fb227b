/** Row 28 of what must hold: who does not read what was answered holds little, and is gone after a while. */
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
  for (let made = 0; made < records; made += 1) {
    const { json } = await server.send('POST', type, carePlan('Patient/1', `,"note":[${notes}]`));
    path = `${type}/${String(json.id)}`;
  }
  bundle = (await server.send('GET', `${type}?subject=Patient/1`)).text;
});
afterAll(() => server.remove());
afterEach(() => void vi.useRealTimers());

/** Asks for an address, and reads nothing until it is told to. */
function ask(address: string): Socket {
  const { host, port } = new URL(server.origin);
  const socket = connect(Number(port), '127.0.0.1').pause();
  socket.on('error', () => undefined);
  socket.write(
    `GET ${address} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${server.token}\r\nConnection: close\r\n\r\n`,
  );
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Resolves once the server, in this process, had many turns. */
async function turns(count = 200): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Reads all that comes until the connection is closed; how much it is. */
async function readAll(socket: Socket): Promise<number> {
  let length = 0;
  socket.on('data', (chunk: Buffer) => (length += chunk.length)).resume();
  await new Promise((resolve) => socket.once('close', resolve));
  return length;
}

test('a large Bundle is streamed: it is the records as they are stored, with its total and links', async () => {
  const read = JSON.parse(bundle) as { total: number; entry: { resource: unknown }[] };
  expect([read.total, read.entry.length]).toEqual([records, records]);
  const { text } = await server.send('GET', path);
  expect(bundle).toContain(text);
  const { headers } = await server.send('GET', `${type}?subject=Patient/1`);
  expect(headers.get('content-length')).toBeNull();
  const history = (await server.send('GET', `${type}/_history`)).json;
  expect(history.entry).toHaveLength(records);
});

test('a large Bundle is indented, or cut to what was asked for, record by record', async () => {
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
])('who reads nothing of %s is dropped after 30 s, and not before', async (_, address) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const reader = ask(address ?? path);
  await turns();
  await vi.advanceTimersByTimeAsync(29_000);
  await turns();
  const slow = ask(address ?? path);
  await turns();
  await vi.advanceTimersByTimeAsync(1000);
  await turns();
  vi.useRealTimers();
  const [dropped, whole] = await Promise.all([readAll(reader), readAll(slow)]);
  expect(dropped).toBeLessThan(whole);
  expect(whole).toBeGreaterThan(bytes);
});

test('a reader that goes on now and then is answered to the end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const reader = ask(`${type}?subject=Patient/1`);
  let length = 0;
  let wanted = 0;
  reader.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length >= wanted) reader.pause();
  });
  const open = () => !reader.closed;
  while (open()) {
    // More than connections hold by themselves, so that the server gets rid of some of it.
    wanted += 6_000_000;
    reader.resume();
    while (open() && length < wanted) await turns(1);
    await vi.advanceTimersByTimeAsync(20_000);
  }
  expect(length).toBeGreaterThan(bundle.length);
});

test('beyond 256 MiB a large answer is 503 with Retry-After; small ones are answered, and large ones later', async () => {
  // More than there is room for: connections take some of it by themselves.
  const readers = Array.from({ length: 2 * Math.ceil(limits.underWay / bytes) }, () => ask(path));
  await expect.poll(async () => (await server.send('GET', path)).status, { timeout: 30_000 }).toBe(503);
  const refused = await server.send('GET', path);
  expect([refused.headers.get('retry-after'), refused.json.issue[0].code]).toEqual(['5', 'throttled']);
  expect((await server.send('GET', `${type}/none`)).status).toBe(404);
  expect((await server.send('POST', type, carePlan('Patient/2'))).status).toBe(201);
  for (const reader of readers) reader.destroy();
  await expect.poll(async () => (await server.send('GET', path)).status).toBe(200);
});
