import { setTimeout } from 'node:timers/promises';

/** Milliseconds behind a request in which background work gives way. */
const near = 1000;

/** For how many times as long as the thread was busy it then rests. */
const times = 1.5;

export type Pace = ReturnType<typeof createPace>;

/**
 * The pace of all background work on the thread that answers. While requests come, every slice is followed by a rest that
 * all works share: fewer than half of what comes meets one. Where nobody asks, nothing rests.
 */
export function createPace(
  clock: () => number = () => performance.now(),
  rest: (milliseconds: number) => Promise<unknown> = setTimeout,
  /** Whether a slice's work is another's too, a database's: all of its time then counts, not the thread's alone. */
  elsewhere = false,
) {
  let last = -Infinity;
  /** Until when all works rest. */
  let until = -Infinity;
  return {
    /** A request came. */
    asked: () => void (last = clock()),
    /** Does a slice, once the rest behind the slice before is over. */
    async slice<Result>(work: () => Promise<Result>): Promise<Result> {
      for (let now = clock(); now < until && now - last < near; now = clock()) await rest(until - now);
      const before = performance.eventLoopUtilization();
      const result = await work();
      const { active, idle } = performance.eventLoopUtilization(before);
      until = Math.max(until, clock()) + (elsewhere ? active + idle : active) * times;
      return result;
    },
  };
}
