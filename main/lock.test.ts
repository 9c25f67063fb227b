import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from './clock.ts';
import { createLock, setupIdleLock } from './lock.ts';
import type { LockMinutes } from './shell-state.ts';
import * as fake from './testing/fake-electron.ts';

vi.mock('electron', () => import('./testing/fake-electron.ts'));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  fake.powerMonitor.removeAllListeners();
});

function prepare(minutes: LockMinutes) {
  const onChange = vi.fn<(locked: boolean) => void>();
  const lock = createLock(onChange);
  setupIdleLock(lock, () => minutes, systemClock);
  const idleFor = (seconds: number) => {
    fake.powerMonitor.getSystemIdleTime.mockReturnValue(seconds);
    vi.advanceTimersByTime(10_000);
  };
  return { lock, onChange, idleFor };
}

it('locks after the chosen minutes without input, and again after an unlock', () => {
  const { lock, onChange, idleFor } = prepare(5);
  idleFor(299);
  expect(lock.isLocked()).toBe(false);
  idleFor(300);
  idleFor(310);
  expect(onChange.mock.calls).toEqual([[true]]);
  lock.unlock();
  idleFor(1);
  expect(onChange.mock.calls).toEqual([[true], [false]]);
  idleFor(300);
  expect(lock.isLocked()).toBe(true);
});

it.each(['lock-screen', 'suspend'])('locks on %s', (event) => {
  const { lock } = prepare(60);
  fake.powerMonitor.emit(event);
  expect(lock.isLocked()).toBe(true);
});

it('never locks automatically if disabled, but on request', () => {
  const { lock, idleFor } = prepare(0);
  idleFor(100_000);
  fake.powerMonitor.emit('lock-screen');
  fake.powerMonitor.emit('suspend');
  expect(lock.isLocked()).toBe(false);
  lock.lock();
  expect(lock.isLocked()).toBe(true);
});
