import { setTimeout } from 'node:timers/promises';

/** Milliseconds after a request during which background work yields. */
const near = 1000;

/** For how many times as long as the thread was busy it then rests. */
const times = 1.5;

export type WorkScheduler = ReturnType<typeof createWorkScheduler>;

/**
 * Schedules all background work of the HTTP server's thread. While requests arrive, each batch is followed
 * by a pause that all work shares: fewer than half of the requests meet a batch. Without requests there is
 * no pause.
 */
export function createWorkScheduler(
  clock: () => number = () => performance.now(),
  wait: (milliseconds: number) => Promise<unknown> = setTimeout,
  /**
   * True if a batch also occupies another process, such as a database. Then its elapsed time counts, not
   * only the thread's time.
   */
  isExternal = false,
) {
  let lastRequestAtMs = -Infinity;
  /** Until when all works rest. */
  let until = -Infinity;
  return {
    /** A request came. */
    asked: () => void (lastRequestAtMs = clock()),
    /** Runs a batch after the pause of the previous batch. */
    async slice<Result>(work: () => Promise<Result>): Promise<Result> {
      for (let now = clock(); now < until && now - lastRequestAtMs < near; now = clock())
        await wait(until - now);
      const before = performance.eventLoopUtilization();
      const result = await work();
      const { active, idle } = performance.eventLoopUtilization(before);
      until = Math.max(until, clock()) + (isExternal ? active + idle : active) * times;
      return result;
    },
  };
}
