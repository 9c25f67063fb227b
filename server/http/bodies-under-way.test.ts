/** Large bodies are admitted as memory permits. Small requests never wait. */
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';

const type = '/fhir-r4/v1/CarePlan';

/** Less than this process uses, so that large bodies are admitted one at a time. */
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

/** Returns the bytes of bodies according to the metrics. */
async function heldBytes(): Promise<number> {
  const { text } = await server.send('GET', '/metrics');
  return Number(/^chartkeeper_bodies_held_bytes (\d+)$/m.exec(text)?.[1]);
}

/** Sends a large create without its last byte. Returns functions that finish or abort it. */
async function openLargeRequest() {
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

test('queues a large body behind another and serves small requests', async () => {
  const firstRequest = await openLargeRequest();
  let status: number | undefined;
  const secondRequest = server.send('POST', type, large).then((answer) => (status = answer.status));
  for (let count = 0; count < 20; count += 1)
    expect((await server.send('POST', type, carePlan('Patient/1'))).status).toBe(201);
  expect(status).toBeUndefined();
  firstRequest.finish();
  expect(await secondRequest).toBe(201);
  await expect.poll(heldBytes).toBe(0);
});

test('admits the next body after a client disconnects', async () => {
  const firstRequest = await openLargeRequest();
  const secondResponse = server.send('POST', type, large);
  firstRequest.leave();
  expect((await secondResponse).status).toBe(201);
});

test('responds with 503 and Retry-After if 32 requests are waiting', async () => {
  const firstRequest = await openLargeRequest();
  const rejections: { readonly status: number; readonly after: string | null }[] = [];
  const responses = Array.from({ length: 36 }, () =>
    server.send('POST', type, large).then(({ status, headers }) => {
      if (status !== 201) rejections.push({ status, after: headers.get('Retry-After') });
      return status;
    }),
  );
  await expect.poll(() => rejections, { timeout: 8000 }).toHaveLength(4);
  firstRequest.finish();
  const statuses = await Promise.all(responses);
  expect(statuses.filter((status) => status === 201)).toHaveLength(32);
  expect(new Set(rejections.map((rejection) => JSON.stringify(rejection)))).toEqual(
    new Set(['{"status":503,"after":"5"}']),
  );
});
