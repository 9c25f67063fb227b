import { setTimeout } from 'node:timers/promises';
import { FaultError } from './fault-case.ts';

/** Milliseconds between two looks. */
const pause = 2;

/** Resolves once `holds` answers true; a FaultError says `what` did not come within so many milliseconds. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  within = 120_000,
): Promise<void> {
  const end = performance.now() + within;
  while (!(await holds())) {
    if (performance.now() > end) throw new FaultError(`${what} did not come within ${within / 1000} s`);
    await setTimeout(pause);
  }
}
