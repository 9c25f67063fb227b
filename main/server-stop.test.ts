import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ORIGIN, supervise } from './testing/supervise.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('stopping', () => {
  function watch(promise: Promise<void>) {
    const done = vi.fn();
    void promise.then(done);
    return async (): Promise<boolean> => {
      await Promise.resolve();
      return done.mock.calls.length > 0;
    };
  }

  it('asks, waits for the exit, and does not start again', async () => {
    const { server, children, child, onFailed, startReady } = supervise();
    startReady();
    const isStopped = watch(server.stop());
    expect(child().orders.at(-1)).toEqual({ type: 'stop' });
    expect(server.isRunning()).toBe(false);
    expect(await isStopped()).toBe(false);

    vi.advanceTimersByTime(2_000);
    child().exit(0);
    expect(await isStopped()).toBe(true);
    vi.advanceTimersByTime(120_000);
    expect(child().kill).not.toHaveBeenCalled();
    expect(children).toHaveLength(1);
    expect(onFailed).not.toHaveBeenCalled();
  });

  it('kills a server that has not drained within 3 seconds', async () => {
    const { server, child, startReady } = supervise();
    startReady();
    const isStopped = watch(server.stop());
    vi.advanceTimersByTime(2_999);
    expect(child().kill).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(child().kill).toHaveBeenCalledOnce();
    expect(await isStopped()).toBe(false);
    child().exit(15);
    expect(await isStopped()).toBe(true);
  });

  it('ends without a process that outlives its kill by a second', async () => {
    const { server, startReady } = supervise();
    startReady();
    const isStopped = watch(server.stop());
    vi.advanceTimersByTime(3_999);
    expect(await isStopped()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await isStopped()).toBe(true);
  });

  it('stops a starting server and ignores its late response', async () => {
    const { server, child, onReady, onFailed } = supervise();
    server.start();
    const isStopped = watch(server.stop());
    expect(child().orders.map((order) => order.type)).toEqual(['start', 'stop']);
    child().send({ type: 'ready', origin: ORIGIN });
    child().exit(0);
    expect(await isStopped()).toBe(true);
    expect(onReady).not.toHaveBeenCalled();
    expect(onFailed).not.toHaveBeenCalled();
  });

  it('cancels a pending restart', async () => {
    const { server, children, child, startReady } = supervise();
    startReady();
    child().exit(1);
    const isStopped = watch(server.stop());
    expect(await isStopped()).toBe(true);
    vi.advanceTimersByTime(120_000);
    expect(children).toHaveLength(1);
  });

  it('asks once, even if it is called again', () => {
    const { server, child, startReady } = supervise();
    startReady();
    expect(server.stop()).toBe(server.stop());
    expect(child().orders.filter((order) => order.type === 'stop')).toHaveLength(1);
  });
});
