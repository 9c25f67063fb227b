import { setPriority } from 'node:os';

/** Steps behind the thread that answers requests. */
const steps = 10;

/**
 * Lets the thread that answers requests go first where there are fewer processors than threads: it has little to do, and
 * everyone waits for it. To be called by a thread that works for long. Elsewhere than under Linux a thread has no priority
 * of its own: it would be the process'.
 */
export function stepBack(): void {
  if (process.platform === 'linux') setPriority(steps);
}
