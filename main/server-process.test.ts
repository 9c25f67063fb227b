import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { START_TIMEOUT_MS } from './server-attempt.ts';
import { ORIGIN, supervise } from './testing/supervise.ts';

const BACK_OFF = [100, 200, 400, 800, 1600];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

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
    expect(child().orders).toEqual([{ type: 'start', dataDir: '/data', port: 40123, token: 'secret-token' }]);
    expect(server.isRunning()).toBe(false);
    child().say({ type: 'ready', origin: ORIGIN });
    expect(server.isRunning()).toBe(true);
    expect(onReady.mock.calls).toEqual([[ORIGIN], [ORIGIN]]);
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
      child().say({ type: 'ready', origin: ORIGIN });
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

  it('tries again when the port is still held, and names the last reason when it gives up', () => {
    const { children, child, onFailed, startReady } = supervise();
    startReady();
    child().exit(1);
    for (const delay of BACK_OFF) {
      vi.advanceTimersByTime(delay);
      child().say({ type: 'failed', message: 'Port 40123 is in use.' });
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
    child().say(message());
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
