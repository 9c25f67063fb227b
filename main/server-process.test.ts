import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { START_TIMEOUT_MS } from './server-attempt.ts';
import { ORIGIN, supervise } from './testing/supervise.ts';

const BACK_OFF = [100, 200, 400, 800, 1600];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('removes remote tokens from a running server, and does nothing if it is down', () => {
  const { server, child, startReady } = supervise();
  startReady();
  server.signOut();
  expect(child().orders.at(-1)).toEqual({ type: 'sign-out' });
  child().exit(1);
  server.signOut();
  expect(child().orders).toHaveLength(2);
});

describe('restarting', () => {
  it('starts again on the same port and keeps the origin', () => {
    const { server, children, child, onReady, startReady } = supervise();
    startReady();
    child().exit(134);
    expect(server.isRunning()).toBe(false);
    expect(server.origin()).toBe(ORIGIN);
    expect(children).toHaveLength(1);

    vi.advanceTimersByTime(100);
    expect(children).toHaveLength(2);
    expect(child().orders).toEqual([
      { type: 'start', dataDir: '/data', port: 40123, token: 'secret-token', secrets: 'session' },
    ]);
    expect(server.isRunning()).toBe(false);
    child().send({ type: 'ready', origin: ORIGIN });
    expect(server.isRunning()).toBe(true);
    expect(onReady.mock.calls).toEqual([[ORIGIN], [ORIGIN]]);
  });

  it('keeps the secrets of the session during a crash of the server', async () => {
    const { child, startReady, crashAndRecover } = supervise();
    startReady();
    child().send({ type: 'secret', ask: 1, act: 'set', id: 'a', secret: 'one' });
    await vi.advanceTimersByTimeAsync(0);
    expect(child().orders.at(-1)).toEqual({ type: 'secret', ask: 1, done: true });
    crashAndRecover();
    child().send({ type: 'secret', ask: 1, act: 'get', id: 'a' });
    await vi.advanceTimersByTimeAsync(0);
    expect(child().orders.at(-1)).toEqual({ type: 'secret', ask: 1, done: true, secret: 'one' });
  });

  it('never sends a secret to a process that has ended', async () => {
    const { child, startReady } = supervise();
    startReady();
    const firstChild = child();
    firstChild.send({ type: 'secret', ask: 1, act: 'get', id: 'a' });
    firstChild.exit(1);
    await vi.advanceTimersByTimeAsync(0);
    expect(firstChild.orders).toHaveLength(1);
  });

  it('waits longer each time, and gives up after five restarts within a minute', () => {
    const { server, children, child, onFailed, startReady } = supervise();
    startReady();
    for (const [index, delay] of BACK_OFF.entries()) {
      child().exit(1);
      vi.advanceTimersByTime(delay - 1);
      expect(children).toHaveLength(index + 1);
      vi.advanceTimersByTime(1);
      expect(children).toHaveLength(index + 2);
      child().send({ type: 'ready', origin: ORIGIN });
    }
    expect(onFailed).not.toHaveBeenCalled();

    child().exit(1);
    expect(onFailed).toHaveBeenCalledExactlyOnceWith(
      'The server was restarted 5 times within a minute and stopped again.',
    );
    vi.advanceTimersByTime(120_000);
    expect(children).toHaveLength(6);
    expect(server.isRunning()).toBe(false);
  });

  it('counts only the restarts of the last minute', () => {
    const { children, child, onFailed, startReady, crashAndRecover } = supervise();
    startReady();
    for (let round = 0; round < 5; round += 1) crashAndRecover();
    vi.advanceTimersByTime(60_000);
    child().exit(1);
    vi.advanceTimersByTime(100);
    expect(children).toHaveLength(7);
    expect(onFailed).not.toHaveBeenCalled();
  });

  it('retries while the port is in use, and reports the last reason when it gives up', () => {
    const { children, child, onFailed, startReady } = supervise();
    startReady();
    child().exit(1);
    for (const delay of BACK_OFF) {
      vi.advanceTimersByTime(delay);
      child().send({ type: 'failed', message: 'Port 40123 is in use.' });
    }
    expect(children).toHaveLength(6);
    expect(onFailed).toHaveBeenCalledExactlyOnceWith(
      'The server was restarted 5 times within a minute and stopped again. Port 40123 is in use.',
    );
  });

  it.each([
    ['comes back on another port', () => ({ type: 'ready', origin: 'http://127.0.0.1:40999' })],
    ['answers with something unknown', () => null],
  ])('gives up at once on a server that %s', (_name, message) => {
    const { server, children, child, onFailed, startReady } = supervise();
    startReady();
    child().exit(1);
    vi.advanceTimersByTime(100);
    child().send(message());
    vi.advanceTimersByTime(120_000);
    expect(onFailed).toHaveBeenCalledOnce();
    expect(children).toHaveLength(2);
    expect(child().kill).toHaveBeenCalledOnce();
    expect(server.origin()).toBe(ORIGIN);
  });

  it('does not repeat a restart that timed out', () => {
    const { children, child, onFailed, startReady } = supervise();
    startReady();
    child().exit(1);
    vi.advanceTimersByTime(100 + 3 * START_TIMEOUT_MS);
    expect(onFailed).toHaveBeenCalledExactlyOnceWith('The server did not start within 60 seconds.');
    expect(children).toHaveLength(2);
  });
});
