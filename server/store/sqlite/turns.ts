import { setImmediate } from 'node:timers/promises';

/** Work in steps of some milliseconds: others have their turn between two of them. */
export type Steps<Result> = Generator<void, Result>;

/** Does all steps at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Does the steps in turn with others; undefined where what they stand on `holds` no more. */
export async function inTurns<Result>(
  steps: Steps<Result>,
  holds: () => boolean,
): Promise<Result | undefined> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await setImmediate();
    if (!holds()) return undefined;
  }
}
