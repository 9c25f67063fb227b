import { setPriority } from 'node:os';

/** Priority steps below the thread that answers requests. */
const steps = 10;

/**
 * Lowers the priority of the calling thread, so that the thread for requests runs first when processors are
 * scarce. Call it in a thread with long work. Only Linux has priorities per thread; elsewhere this would
 * affect the process.
 */
export function lowerThreadPriority(): void {
  if (process.platform === 'linux') setPriority(steps);
}
