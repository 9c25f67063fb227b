import { setTimeout } from 'node:timers/promises';
import { FaultError } from './fault-case.ts';

/** Milliseconds between two polls. */
const pollIntervalMs = 2;

/**
 * Polls until the condition is true.
 *
 * @throws FaultError that names the description after `timeoutMs` milliseconds.
 */
export async function waitUntil(
  description: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 120_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline)
      throw new FaultError(`${description} did not come within ${timeoutMs / 1000} s`);
    await setTimeout(pollIntervalMs);
  }
}
