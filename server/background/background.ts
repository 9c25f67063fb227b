/**
 * The loop of all background work: in batches between which requests run, by one server at a time, tried again after a
 * failure, until it is stopped. Invariant: an idle loop has no timer but that of its looks.
 */
import { setImmediate, setTimeout as waitFor } from 'node:timers/promises';
import type { Leases } from '../store/leases.ts';

/** Runs work at an interval in milliseconds. Returns a function that stops it. */
export type ScheduleEvery = (milliseconds: number, work: () => void) => () => void;

/** Timer of the process. It does not keep the process alive. */
export const onTimer: ScheduleEvery = (milliseconds, work) => {
  const timer = setInterval(work, milliseconds).unref();
  return () => clearInterval(timer);
};

/** What all background work of a server shares. */
export interface BackgroundGiven {
  readonly store: { readonly leases: Leases; startBulk?(): () => void };
  /** Lets requests go first. */
  readonly pace?: Pick<WorkScheduler, 'slice'>;
  /** Timer of the looks for work without a wake-up. Without one, there are none. */
  readonly scheduleEvery?: ScheduleEvery | undefined;
  readonly log: (line: string) => void;
  /** Called after each batch that changed something, and when no work remains. */
  readonly onProgress?: (() => void) | undefined;
}

export interface BackgroundParts extends Partial<BackgroundGiven> {
  /** Runs one batch. Returns true if more work may remain. The signal aborts at the next stop. */
  readonly step: (signal: AbortSignal) => Promise<boolean>;
  /** Work that only one server of the store does: name of its lease, and seconds that one call holds it. */
  readonly leased?: readonly [name: string, seconds?: number];
  /** Called when another server does the work, with the milliseconds until the next attempt. */
  readonly onRefused?: (milliseconds: number) => unknown;
  /** Log message of a failed batch: `derived rows were not rebuilt`. */
  readonly failureMessage?: string;
  /** Called with the error of a batch. The next look tries again. */
  readonly onFailure?: (error: unknown) => unknown;
  readonly lookMs?: number;
  /** Returns true if work is due without a wake-up. Asked at each look. */
  readonly isDue?: () => boolean;
}

const minute = 60_000;

/** Milliseconds until the next attempt to get work that another server holds. Doubles each time. */
const firstTurnMs = 1000;

export type Background = ReturnType<typeof createBackground>;

/** Runs work in batches and lets other requests run between them. */
export function createBackground(parts: BackgroundParts) {
  const { step, store, pace, onProgress, failureMessage } = parts;
  const lease = parts.leased && store?.leases.getLease(...parts.leased);
  let running: Promise<void> | undefined;
  let mustRepeat = false;
  let isClosed = false;
  let hasFailed = false;
  let turnMs = firstTurnMs;
  let control = new AbortController();
  let timer: { readonly dueMs: number; readonly timeout: NodeJS.Timeout } | undefined;

  async function work(signal: AbortSignal): Promise<void> {
    let hasMoved = false;
    do {
      await setImmediate();
      mustRepeat = false;
      if (lease && !(await lease.hold())) {
        await parts.onRefused?.(turnMs);
        if (!signal.aborted) wakeSoon(turnMs);
        turnMs = Math.min(turnMs * 2, minute);
        return;
      }
      turnMs = firstTurnMs;
      const hasMore = await (pace ? pace.slice(() => step(signal)) : step(signal));
      if (hasMore) mustRepeat = true;
      if (hasMore || hasMoved) onProgress?.();
      hasMoved = hasMore;
    } while (mustRepeat && !signal.aborted);
  }

  async function run(): Promise<void> {
    const { signal } = control;
    const finishBulk = store?.startBulk?.();
    try {
      await work(signal);
    } catch (error) {
      mustRepeat = false;
      if (!signal.aborted) {
        hasFailed = true;
        const problem = error instanceof Error ? error.name : typeof error;
        if (failureMessage) parts.log?.(`${failureMessage} (${problem}); tried again in a minute`);
        await parts.onFailure?.(error);
      }
    } finally {
      finishBulk?.();
      // A lease that cannot be released expires.
      await lease?.release().catch(() => undefined);
      running = undefined;
      if (mustRepeat && !signal.aborted) wake();
    }
  }

  /** Starts the work if there is any. */
  function wake(): void {
    if (isClosed) return;
    cancelTimer();
    mustRepeat = true;
    hasFailed = false;
    if (control.signal.aborted) control = new AbortController();
    running ??= run();
  }

  /** Wakes once, at the earliest time of all calls. */
  function wakeSoon(milliseconds: number): void {
    const dueMs = performance.now() + milliseconds;
    if (isClosed || (timer && timer.dueMs <= dueMs)) return;
    cancelTimer();
    timer = { dueMs, timeout: setTimeout(wake, milliseconds).unref() };
  }

  function cancelTimer(): void {
    clearTimeout(timer?.timeout);
    timer = undefined;
  }

  /** Stops after the current batch. A wake-up after that resumes. */
  async function stop(): Promise<void> {
    cancelTimer();
    mustRepeat = false;
    control.abort();
    await running;
  }

  const stopLooks = parts.scheduleEvery?.(parts.lookMs ?? minute, () => {
    if (hasFailed || parts.isDue?.()) wake();
  });

  return {
    wake,
    wakeSoon,
    stop,

    /** Returns true while work runs or waits for its turn. */
    isActive: () => running !== undefined || timer !== undefined,

    /** Resolves when no work remains. */
    idle: async (): Promise<void> => {
      while (running) await running;
    },

    /** Stops for good after the current batch. */
    close: async (): Promise<void> => {
      isClosed = true;
      stopLooks?.();
      await stop();
    },
  };
}

/** Milliseconds after a request during which background work yields. */
const yieldMs = 1000;

/** For how many times as long as the thread was busy it then rests. */
const restFactor = 1.5;

export type WorkScheduler = ReturnType<typeof createWorkScheduler>;

/**
 * Schedules all background work of the HTTP server's thread. While requests arrive, each batch is followed
 * by a pause that all work shares: fewer than half of the requests meet a batch. Without requests there is
 * no pause.
 */
export function createWorkScheduler(
  clock: () => number = () => performance.now(),
  wait: (milliseconds: number) => Promise<unknown> = waitFor,
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
      for (let now = clock(); now < until && now - lastRequestAtMs < yieldMs; now = clock())
        await wait(until - now);
      const before = performance.eventLoopUtilization();
      const result = await work();
      const { active, idle } = performance.eventLoopUtilization(before);
      until = Math.max(until, clock()) + (isExternal ? active + idle : active) * restFactor;
      return result;
    },
  };
}
