import { powerMonitor } from 'electron';
import type { Clock } from './clock.ts';
import type { LockMinutes } from './shell-state.ts';

const POLL_MS = 10_000;

export type Lock = ReturnType<typeof createLock>;

/**
 * Returns a lock that tells `changed` of each change: it blanks the page and forgets the tokens of remote servers. It asks for no
 * password: who holds the user's session of the system may open it, and the system's own lock is what keeps others out.
 */
export function createLock(changed: (locked: boolean) => void) {
  let locked = false;
  const set = (value: boolean) => {
    if (locked === value) return;
    locked = value;
    changed(value);
  };
  return { isLocked: () => locked, lock: () => set(true), unlock: () => set(false) };
}

/** Locks after so many minutes without input, and when the system locks or sleeps; 0 minutes is never. */
export function setupIdleLock(lock: Lock, minutes: () => LockMinutes, clock: Clock): void {
  const lockWhereWanted = () => {
    if (minutes() > 0) lock.lock();
  };
  powerMonitor.on('lock-screen', lockWhereWanted);
  powerMonitor.on('suspend', lockWhereWanted);
  function look(): void {
    const limit = minutes() * 60;
    if (limit > 0 && powerMonitor.getSystemIdleTime() >= limit) lock.lock();
    clock.after(POLL_MS, look);
  }
  clock.after(POLL_MS, look);
}
