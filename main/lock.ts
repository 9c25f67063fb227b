import { powerMonitor } from 'electron';
import type { Clock } from './clock.ts';
import type { LockMinutes } from './shell-state.ts';

const POLL_MS = 10_000;

export type Lock = ReturnType<typeof createLock>;

/**
 * Creates a lock, which blanks the page and removes the tokens of remote servers. It has no password: it
 * protects only as far as the user's session of the system does.
 *
 * @param changed - Called at each change.
 */
export function createLock(onChange: (locked: boolean) => void) {
  let locked = false;
  const set = (value: boolean) => {
    if (locked === value) return;
    locked = value;
    onChange(value);
  };
  return { isLocked: () => locked, lock: () => set(true), unlock: () => set(false) };
}

/**
 * Locks after a number of minutes without input, and when the system locks or sleeps. 0 minutes means never.
 */
export function setupIdleLock(lock: Lock, minutes: () => LockMinutes, clock: Clock): void {
  const lockIfEnabled = () => {
    if (minutes() > 0) lock.lock();
  };
  powerMonitor.on('lock-screen', lockIfEnabled);
  powerMonitor.on('suspend', lockIfEnabled);
  function poll(): void {
    const limit = minutes() * 60;
    if (limit > 0 && powerMonitor.getSystemIdleTime() >= limit) lock.lock();
    clock.after(POLL_MS, poll);
  }
  clock.after(POLL_MS, poll);
}
