/**
 * A worker that is terminated when one item takes too long or too much memory. Called by modules that
 * evaluate expressions of users. Invariant: the caller learns of it, and the next request starts another
 * worker.
 */
import { createMutex } from '../store/mutex.ts';
import { ThreadError, ThreadPool } from '../threads/thread-pool.ts';

export interface WatchLimits {
  /** Milliseconds of processor time for one item. Other load does not count. */
  readonly time: number;
  /** The same limit for parsing one expression. Its cost depends only on its length. */
  readonly parsing: number;
  /** Megabytes of the thread. */
  readonly memory: number;
  /** Milliseconds without work after which the thread ends. */
  readonly idle: number;
}

/** Milliseconds between two checks of the worker. */
const look = 25;

/** The worker did not finish an item. */
export class WorkerExitedError extends Error {
  override readonly name = 'WorkerExitedError';
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** @typeParam Handlers - Type of the handlers that the entry file gives to `serveRequests`. */
export interface WatchedThread<Handlers extends object> {
  /** The worker writes here the number of its current item: see watched-place.ts. 0 means none. */
  readonly sharedPosition: Int32Array;
  /**
   * Sends a request to the worker. Rejects with {@link WorkerExitedError} if the worker does not finish it.
   */
  readonly ask: ThreadPool<Handlers>['ask'];
  /** Runs work after all earlier work: there is one worker. */
  queued<Result>(work: () => Promise<Result>): Promise<Result>;
  isClosed(): boolean;
  close(): Promise<void>;
}

/** @param file - Entry file of the worker. Its thread data is the shared position. */
export function watchedThread<Handlers extends object>(
  file: string,
  limits: WatchLimits,
): WatchedThread<Handlers> {
  const sharedPosition = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const { memory: heap, idle: idleMs } = limits;
  const pool = new ThreadPool<Handlers>(file, { heap, idleMs, data: sharedPosition });
  let closed = false;

  /** Calls `onLate` when the worker has spent more than its time on one item. */
  function watchTime(onLate: (limit: number) => void): NodeJS.Timeout {
    let lastSample = { item: 0, spent: 0 };
    return setInterval(() => {
      pool.cpuUsage().then(
        ({ user }) => {
          const item = Atomics.load(sharedPosition, 0);
          const limit = item < 0 ? limits.parsing : limits.time;
          if (item !== lastSample.item) lastSample = { item, spent: user };
          // Before the first item, the program is loaded.
          else if (item !== 0 && user - lastSample.spent > limit * 1000) onLate(limit);
        },
        () => undefined,
      );
    }, look);
  }

  return {
    sharedPosition,
    ask(name, parameters) {
      if (closed) return Promise.reject(new WorkerExitedError('The server ends.'));
      Atomics.store(sharedPosition, 0, 0);
      let exceededLimit: number | undefined;
      let hasEnded = false;
      const timer = watchTime((limit) => {
        // A sample may arrive after the request, when the worker has another one.
        if (hasEnded) return;
        hasEnded = true;
        exceededLimit = limit;
        void pool.terminate();
      });
      return pool
        .ask(name, parameters)
        .catch((error: unknown) => {
          throw new WorkerExitedError(exceededLimit === undefined ? reasonOf(error) : tooLong(exceededLimit));
        })
        .finally(() => {
          hasEnded = true;
          clearInterval(timer);
        });
    },
    queued: createMutex(),
    isClosed: () => closed,
    close() {
      closed = true;
      return pool.terminate();
    },
  };
}

function tooLong(milliseconds: number): string {
  return `It takes longer than ${milliseconds} ms.`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof ThreadError)) return String(error);
  if (error.reason === 'out-of-memory') return 'Out of memory.';
  return error.cause instanceof Error ? String(error.cause) : 'The thread ended.';
}
