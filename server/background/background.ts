import { setImmediate } from 'node:timers/promises';
import type { SharedStore } from '../store/store.ts';
import type { WorkScheduler } from './work-scheduler.ts';

/** Runs work at an interval in milliseconds. Returns a function that stops it. */
export type ScheduleEvery = (milliseconds: number, work: () => void) => () => void;

/** Timer of the process. It does not keep the process alive. */
export const onTimer: ScheduleEvery = (milliseconds, work) => {
  const timer = setInterval(work, milliseconds).unref();
  return () => clearInterval(timer);
};

export interface BackgroundParts {
  readonly store: Pick<SharedStore, 'leases' | 'startBulk'>;
  /** Name of its lease and the seconds that one call holds it; the default duration if absent. */
  readonly leased: readonly [name: string, seconds?: number];
  /** Runs one batch. Returns true if more work may remain. */
  readonly step: () => Promise<boolean>;
  /** Called after each batch that changed something, and when no work remains. */
  readonly onProgress?: (() => void) | undefined;
  /**
   * Returns true if work is due without a wake-up and no other server can have left any. Polled once a
   * minute.
   */
  readonly isDue?: () => boolean;
  /** Lets requests go first. */
  readonly pace: Pick<WorkScheduler, 'slice'>;
  readonly scheduleEvery: ScheduleEvery;
  readonly log: (line: string) => void;
  /** Log message for a failed batch: `derived rows were not rebuilt`. */
  readonly failureMessage: string;
}

/** Options that all background work of a server shares. */
export type BackgroundGiven = Pick<BackgroundParts, 'pace' | 'scheduleEvery' | 'log' | 'onProgress'>;

const minute = 60_000;

/** Milliseconds until the next attempt to get work that another server holds. */
const turn = 1000;

/** Runs work in batches and lets other requests run between them. */
export function createBackground(options: BackgroundParts) {
  const {
    store,
    leased,
    step,
    onProgress,
    isDue = () => false,
    pace,
    scheduleEvery,
    log,
    failureMessage,
  } = options;
  const lease = store.leases.getLease(...leased);
  let running: Promise<void> | undefined;
  let mustRepeat = false;
  let closed = false;
  let stopped = false;
  let wakeTimer: NodeJS.Timeout | undefined;

  async function work(): Promise<void> {
    let hasMoved = false;
    do {
      await setImmediate();
      mustRepeat = false;
      if (!(await lease.hold())) {
        wakeSoon(turn);
        return;
      }
      const hasMore = await pace.slice(step);
      if (hasMore) mustRepeat = true;
      if (hasMore || hasMoved) onProgress?.();
      hasMoved = hasMore;
    } while (mustRepeat && !closed);
  }

  async function run(): Promise<void> {
    const finishBulk = store.startBulk();
    try {
      await work();
    } catch (error) {
      // Work that a disk error or a lock stopped continues in a minute.
      mustRepeat = false;
      stopped = true;
      const problem = error instanceof Error ? error.name : typeof error;
      if (!closed) log(`${failureMessage} (${problem}); tried again in a minute`);
    } finally {
      finishBulk();
      // A lease that cannot be released expires.
      await lease.release().catch(() => undefined);
      running = undefined;
      if (mustRepeat && !closed) wake();
    }
  }

  /** Starts the work if there is any. */
  function wake(): void {
    mustRepeat = true;
    stopped = false;
    running ??= run();
  }

  /** Wakes once, `milliseconds` after the first call. Later calls join it. */
  function wakeSoon(milliseconds: number): void {
    wakeTimer ??= setTimeout(() => {
      wakeTimer = undefined;
      if (!closed) wake();
    }, milliseconds).unref();
  }

  const stop = scheduleEvery(minute, () => {
    if (stopped || store.leases.shared || isDue()) wake();
  });

  return {
    wake,
    wakeSoon,

    /** Resolves when no work remains. */
    async idle(): Promise<void> {
      while (running) await running;
    },

    /** Stops after the current batch. */
    async close(): Promise<void> {
      closed = true;
      clearTimeout(wakeTimer);
      stop();
      await running;
    },
  };
}
