/** Row 28 of what must hold: large bodies are let in as the memory allows, and small requests wait for none. */
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';

const type = '/fhir-r4/v1/CarePlan';

/** So little that this process holds more by itself: one large body at a time is let in. */
const memory = 64 * 1024 ** 2;

const large = carePlan('Patient/1', `,"description":"${'a'.repeat(100_000)}"`);

let server: TestServer;
beforeEach(async () => {
  vi.spyOn(process, 'constrainedMemory').mockReturnValue(memory);
  server = await startTestServer({ metrics: true });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await server.remove();
});

/** Bytes of bodies that the server says it holds. */
async function heldBytes(): Promise<number> {
  const { text } = await server.send('GET', '/metrics');
  return Number(/^chartkeeper_bodies_held_bytes (\d+)$/m.exec(text)?.[1]);
}

/** Sends all of a large create but its last byte; answers what sends that, or goes away. */
async function holdOne() {
  const { host, port } = new URL(server.origin);
  const socket = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.write(
    `POST ${type} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${server.token}\r\n` +
      `Content-Type: application/fhir+json\r\nContent-Length: ${large.length}\r\n\r\n${large.slice(0, -1)}`,
  );
  await expect.poll(heldBytes).toBe(large.length);
  return { finish: () => socket.write(large.slice(-1)), leave: () => socket.destroy() };
}

test('lets a large body wait for the one before it, and answers small ones meanwhile', async () => {
  const first = await holdOne();
  let status: number | undefined;
  const second = server.send('POST', type, large).then((answer) => (status = answer.status));
  for (let count = 0; count < 20; count += 1)
    expect((await server.send('POST', type, carePlan('Patient/1'))).status).toBe(201);
  expect(status).toBeUndefined();
  first.finish();
  expect(await second).toBe(201);
  await expect.poll(heldBytes).toBe(0);
});

test('lets the next one in once a client went away', async () => {
  const first = await holdOne();
  const second = server.send('POST', type, large);
  first.leave();
  expect((await second).status).toBe(201);
});

test('answers 503 with Retry-After where 32 wait already', async () => {
  const first = await holdOne();
  const refused: { readonly status: number; readonly after: string | null }[] = [];
  const sent = Array.from({ length: 36 }, () =>
    server.send('POST', type, large).then(({ status, headers }) => {
      if (status !== 201) refused.push({ status, after: headers.get('Retry-After') });
      return status;
    }),
  );
  await expect.poll(() => refused, { timeout: 8000 }).toHaveLength(4);
  first.finish();
  const statuses = await Promise.all(sent);
  expect(statuses.filter((status) => status === 201)).toHaveLength(32);
  expect(new Set(refused.map((one) => JSON.stringify(one)))).toEqual(new Set(['{"status":503,"after":"5"}']));
});
