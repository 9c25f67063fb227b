import { setImmediate } from 'node:timers/promises';

/** Work in steps of some milliseconds. Other work runs between two steps. */
export type Steps<Result> = Generator<void, Result>;

/** Runs all steps without a pause. */
export function runToEnd<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Runs the steps with pauses for other work. Returns undefined if `isValid` turns false. */
export async function runInSlices<Result>(
  steps: Steps<Result>,
  isValid: () => boolean,
): Promise<Result | undefined> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await setImmediate();
    if (!isValid()) return undefined;
  }
}
