/** Limits of headers and of time. server/conformance tests the limits of a body. */
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';
import { maxHeaderBytes } from './socket-errors.ts';

const type = '/fhir-r4/v1/CarePlan';
const maxBody = 60_000;

let server: TestServer;
let id: string;
beforeAll(async () => {
  server = await startTestServer({ maxBody });
  id = (await server.send('POST', type, carePlan('Patient/1'))).json.id;
});
afterAll(() => server.remove());

describe('socket', () => {
  afterEach(() => void vi.useRealTimers());

  /** Opens a socket, sends the bytes and leaves it open. */
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
    /** Sends more text. Resolves after many turns of the server in this process. */
    const send = async (text: string) => {
      await new Promise((resolve) => socket.write(text, resolve));
      await turns();
    };
    return { received, answer, send };
  }

  /** Resolves after all pending traffic between server and client. */
  async function turns(): Promise<void> {
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  const head = (remainingHead: string) => {
    const { host } = new URL(server.origin);
    return `GET ${type}/${id} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${server.token}\r\n${remainingHead}`;
  };

  test('accepts headers below the limit and rejects larger headers with 431', async () => {
    const headOfSize = (bytes: number) => {
      const close = 'Connection: close\r\n';
      return head(`${close}X: ${'a'.repeat(bytes - head(close).length - 7)}\r\n\r\n`);
    };
    // Node counts parsed bytes, which are slightly fewer than the sent bytes.
    expect(await open(headOfSize(maxHeaderBytes - 64)).answer()).toMatch(/^HTTP\/1\.1 200 /);
    const rejection = await open(headOfSize(maxHeaderBytes + 64)).answer();
    expect(rejection).toMatch(/^HTTP\/1\.1 431 /);
    expect(rejection).toContain('OperationOutcome');
  });

  test('closes a connection without data after 5 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { received, send } = open('');
    await send('');
    await vi.advanceTimersByTimeAsync(4999);
    expect(received.closed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
    await expect.poll(() => received).toEqual({ text: '', closed: true });
  });

  test('rejects unfinished headers with 408 after at least 4 s', async () => {
    const startMs = performance.now();
    // Node's own limit is 60 s.
    const response = await open(head('X: a')).answer(30_000);
    expect(response).toMatch(/^HTTP\/1\.1 408 /);
    expect(response).toContain('OperationOutcome');
    expect(performance.now() - startMs).toBeGreaterThan(4000);
  });

  /** Sends the head of a create and waits until the server waits for the body. */
  async function openBody(length: number) {
    const { host } = new URL(server.origin);
    const socketClient = open(
      `POST ${type} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${server.token}\r\n` +
        `Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`,
    );
    while (socketClient.received.text === '') await new Promise((resolve) => setImmediate(resolve));
    expect(socketClient.received.text).toMatch(/^HTTP\/1\.1 100 /);
    return socketClient;
  }

  test('rejects an unfinished body with 408 after 30 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { received, answer, send } = await openBody(maxBody);
    await send(' '.repeat(50_000));
    await vi.advanceTimersByTimeAsync(29_999);
    expect(received.closed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
    expect(await answer()).toMatch(/HTTP\/1\.1 408 /);
  });

  test('rejects a body slower than 1,000 bytes per second with 408 after 8 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { received, answer, send } = await openBody(maxBody);
    await send(' '.repeat(7999));
    await vi.advanceTimersByTimeAsync(7999);
    expect(received.closed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
    expect(await answer()).toMatch(/HTTP\/1\.1 408 /);
  });

  test('ignores the time in which the server itself was blocked', async () => {
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

  test('sets no total time limit for an import that progresses', async () => {
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
