import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { START_TIMEOUT_MS, loopbackPort } from './server-attempt.ts';
import { ORIGIN, supervise } from './testing/supervise.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('starting', () => {
  it('sends the start order and reports the origin when the server listens', () => {
    const { server, child, onReady, onFailed } = supervise();
    server.start();
    expect(child().orders).toEqual([
      { type: 'start', dataDir: '/data', port: 0, token: 'secret-token', secrets: 'session' },
    ]);
    expect(server.origin()).toBeUndefined();
    expect(server.isRunning()).toBe(false);

    child().send({ type: 'ready', origin: ORIGIN });
    expect(onReady).toHaveBeenCalledExactlyOnceWith(ORIGIN);
    expect(server.origin()).toBe(ORIGIN);
    expect(server.isRunning()).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(2 * START_TIMEOUT_MS);
    expect(onFailed).not.toHaveBeenCalled();
    expect(child().kill).not.toHaveBeenCalled();
  });

  it('reports the message of a server that cannot start, and does not try again', () => {
    const { server, children, child, onFailed } = supervise();
    server.start();
    child().send({ type: 'failed', message: 'The database is damaged.' });
    child().exit(3);
    vi.advanceTimersByTime(120_000);
    expect(onFailed).toHaveBeenCalledExactlyOnceWith('The database is damaged.');
    expect(child().kill).toHaveBeenCalledOnce();
    expect(children).toHaveLength(1);
    expect(server.isRunning()).toBe(false);
  });

  it('reports a process that ended before it was ready', () => {
    const { server, children, child, onFailed } = supervise();
    server.start();
    child().exit(139);
    vi.advanceTimersByTime(120_000);
    expect(onFailed).toHaveBeenCalledExactlyOnceWith(
      'The server stopped before it was ready (exit code 139).',
    );
    expect(children).toHaveLength(1);
  });

  it('gives up on a process that is silent for a minute', () => {
    const { server, child, onFailed, onReady } = supervise();
    server.start();
    vi.advanceTimersByTime(START_TIMEOUT_MS - 1);
    expect(onFailed).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onFailed).toHaveBeenCalledExactlyOnceWith('The server did not start within 60 seconds.');
    expect(child().kill).toHaveBeenCalledOnce();

    child().send({ type: 'ready', origin: ORIGIN });
    expect(onReady).not.toHaveBeenCalled();
    expect(server.origin()).toBeUndefined();
  });

  it.each([
    ['a text', 'ready'],
    ['an unknown type', { type: 'started', origin: ORIGIN }],
    ['no origin', { type: 'ready' }],
    ['another host', { type: 'ready', origin: 'http://192.168.1.5:40123' }],
    ['a name instead of the address', { type: 'ready', origin: 'http://localhost:40123' }],
    ['a path behind the origin', { type: 'ready', origin: `${ORIGIN}/app` }],
  ])('treats %s as an error', (_name, message) => {
    const { server, child, onFailed, onReady } = supervise();
    server.start();
    child().send(message);
    expect(onFailed).toHaveBeenCalledExactlyOnceWith('The server sent an unexpected start message.');
    expect(child().kill).toHaveBeenCalledOnce();
    expect(onReady).not.toHaveBeenCalled();
  });

  it('never writes the token to the log', () => {
    const { log, startReady, crashAndRecover } = supervise();
    startReady();
    crashAndRecover();
    expect(log.mock.calls.length).toBeGreaterThan(2);
    expect(log.mock.calls.join('\n')).not.toContain('secret-token');
  });
});

describe('loopbackPort', () => {
  it.each([
    ['http://127.0.0.1:1', 1],
    ['http://127.0.0.1:65535', 65535],
    ['http://127.0.0.1:65536', undefined],
    ['http://127.0.0.1:0', undefined],
    ['https://127.0.0.1:40123', undefined],
    ['http://127.0.0.1:40123@example.org', undefined],
    ['http://127x0x0x1:40123', undefined],
  ])('reads %s as %s', (origin, port) => {
    expect(loopbackPort(origin)).toBe(port);
  });
});
