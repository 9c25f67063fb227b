/** Item 4: each limit of a request at n and at n + 1. Levels of nesting stand in refusals.test.ts. */
import { request } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { limits } from '../../core/api/contract.ts';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';
import { headerBytes } from './socket-faults.ts';

const type = '/fhir-r4/v1/CarePlan';
const maxBody = 60_000;

let server: TestServer;
let id: string;
beforeAll(async () => {
  server = await startTestServer({ maxBody });
  id = (await server.send('POST', type, carePlan('Patient/1'))).json.id;
});
afterAll(() => server.remove());

const record = (bytes: number) =>
  carePlan('Patient/1', `,"title":"${'a'.repeat(bytes - carePlan('Patient/1').length - 11)}"`);

/** Sends a record in chunks, so that no header tells its length. */
function sendChunked(body: string): Promise<number> {
  const { hostname, port } = new URL(server.origin);
  const headers = { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method: 'POST', path: type, headers });
    sent.once('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.once('error', reject);
    sent.write(body.slice(0, 10));
    sent.end(body.slice(10));
  });
}

test('a body: the limit is a setting, and holds with and without a Content-Length', async () => {
  expect(record(maxBody).length).toBe(maxBody);
  for (const [bytes, status] of [
    [maxBody, 201],
    [maxBody + 1, 413],
  ] as const) {
    expect((await server.send('POST', type, record(bytes))).status).toBe(status);
    expect(await sendChunked(record(bytes))).toBe(status);
  }
});

test('operations of a patch', async () => {
  const wide = await startTestServer();
  const made = await wide.send('POST', type, carePlan('Patient/1', ',"title":"a"'));
  const path = `${type}/${String(made.json.id)}`;
  const patch = (count: number) =>
    JSON.stringify(Array.from({ length: count }, () => ({ op: 'replace', path: '/title', value: 'b' })));
  expect((await wide.send('PATCH', path, patch(limits.patchOperations + 1))).status).toBe(413);
  expect((await wide.send('GET', path)).json.title).toBe('a');
  expect((await wide.send('PATCH', path, patch(limits.patchOperations))).status).toBe(200);
  expect((await wide.send('GET', path)).json.title).toBe('b');
  await wide.remove();
});

test('a body with a Content-Encoding is 415, whatever is in it', async () => {
  const answer = await fetch(server.origin + type, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${server.token}`,
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
    },
    body: gzipSync(carePlan('Patient/1')),
  });
  expect(answer.status).toBe(415);
  expect(await answer.text()).toContain('OperationOutcome');
});

describe('what a socket sends', () => {
  afterEach(() => void vi.useRealTimers());

  /** Opens a socket, sends, and leaves it open. */
  function open(bytes: string) {
    const socket = connect(Number(new URL(server.origin).port), '127.0.0.1').setEncoding('utf8');
    const received = { text: '', closed: false };
    socket.on('data', (piece: string) => (received.text += piece));
    socket.once('close', () => (received.closed = true));
    socket.write(bytes);
    const answer = async (timeout = 60_000) => {
      await expect.poll(() => received.closed, { timeout }).toBe(true);
      return received.text;
    };
    /** Resolves once the server, in this process, had many turns to read it. */
    const send = async (more: string) => {
      await new Promise((resolve) => socket.write(more, resolve));
      await turns();
    };
    return { received, answer, send };
  }

  /** Resolves once whatever is under way between server and client has come. */
  async function turns(): Promise<void> {
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  const head = (rest: string) => {
    const { host } = new URL(server.origin);
    return `GET ${type}/${id} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${server.token}\r\n${rest}`;
  };

  test('its line and headers: a little below the limit passes, a little above is 431', async () => {
    const sized = (bytes: number) => {
      const close = 'Connection: close\r\n';
      return head(`${close}X: ${'a'.repeat(bytes - head(close).length - 7)}\r\n\r\n`);
    };
    // Node counts what its parser keeps, which is a few bytes less than what is sent.
    expect(await open(sized(headerBytes - 64)).answer()).toMatch(/^HTTP\/1\.1 200 /);
    const refused = await open(sized(headerBytes + 64)).answer();
    expect(refused).toMatch(/^HTTP\/1\.1 431 /);
    expect(refused).toContain('OperationOutcome');
  });

  test('a connection on which nothing comes is gone after 5 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { received, send } = open('');
    await send('');
    await vi.advanceTimersByTimeAsync(4999);
    expect(received.closed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
    await expect.poll(() => received).toEqual({ text: '', closed: true });
  });

  test('headers that do not end are 408, not before 4 s', async () => {
    const started = performance.now();
    // Node's own limit is 60 s.
    const answer = await open(head('X: a')).answer(30_000);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('OperationOutcome');
    expect(performance.now() - started).toBeGreaterThan(4000);
  });

  /** Sends the head of a create and waits until the server waits for its body. */
  async function openBody(length: number) {
    const { host } = new URL(server.origin);
    const opened = open(
      `POST ${type} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${server.token}\r\n` +
        `Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`,
    );
    while (opened.received.text === '') await new Promise((resolve) => setImmediate(resolve));
    expect(opened.received.text).toMatch(/^HTTP\/1\.1 100 /);
    return opened;
  }

  test('a body that does not end is 408 after 30 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { received, answer, send } = await openBody(maxBody);
    await send(' '.repeat(50_000));
    await vi.advanceTimersByTimeAsync(29_999);
    expect(received.closed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
    expect(await answer()).toMatch(/HTTP\/1\.1 408 /);
  });

  test('a body that comes more slowly than 1,000 bytes a second is 408 after 8 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { received, answer, send } = await openBody(maxBody);
    await send(' '.repeat(7999));
    await vi.advanceTimersByTimeAsync(7999);
    expect(received.closed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
    expect(await answer()).toMatch(/HTTP\/1\.1 408 /);
  });

  test("what the server did not read in time, as it stood still, is not the client's slowness", async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { received, answer, send } = await openBody(maxBody);
    await send(' ');
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 20_000);
    await vi.advanceTimersByTimeAsync(8000);
    clock.mockRestore();
    await turns();
    expect(received.text).not.toContain('408');
    expect(received.closed).toBe(false);
    await vi.advanceTimersByTimeAsync(8000);
    vi.useRealTimers();
    expect(await answer()).toMatch(/HTTP\/1\.1 408 /);
  });

  test('an import may take as long as it likes, as long as it goes on', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { host } = new URL(server.origin);
    const { received, answer, send } = open(
      `POST /app/import HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${server.token}\r\n` +
        'Content-Type: application/x-ndjson\r\nContent-Length: 8\r\nConnection: close\r\n\r\n',
    );
    for (const character of 'no json') {
      await send(character);
      await vi.advanceTimersByTimeAsync(20_000);
      expect(received.closed).toBe(false);
    }
    vi.useRealTimers();
    await send('\n');
    expect(await answer()).toContain('"refused":1');
  });
});
