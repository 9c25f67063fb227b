/**
 * A worker that is terminated when one item takes too long or too much memory. Called by modules that
 * evaluate expressions of users. Invariant: the caller learns of it, and the next request starts another
 * worker.
 */
import { Worker } from 'node:worker_threads';
import { isOutOfMemory } from '../store/thread-file.ts';
import { createMutex } from '../store/mutex.ts';

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

/** The worker exited before it responded. */
export class WorkerExitedError extends Error {
  override readonly name = 'WorkerExitedError';
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

export interface WatchedThread<Order, Reply> {
  /** The worker writes here the number of its current item: see watched-place.ts. 0 means none. */
  readonly sharedPosition: Int32Array;
  /**
   * Sends a request to the worker. Rejects with {@link WorkerExitedError} if it exits before the response.
   */
  ask(request: Order): Promise<Reply>;
  /** Runs work after all earlier work: there is one worker. */
  queued<Result>(work: () => Promise<Result>): Promise<Result>;
  isClosed(): boolean;
  close(): Promise<void>;
}

/**
 * @param file - Entry file of the worker. It sends `{ ready: true }` once, then responds to each request.
 */
export function watchedThread<Order, Reply>(file: string, limits: WatchLimits): WatchedThread<Order, Reply> {
  const sharedPlace = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let worker: Worker | undefined;
  let closed = false;
  let busy = false;
  const idle = setTimeout(() => {
    if (busy) {
      idle.refresh();
      return;
    }
    const rested = worker;
    // Reset before the exit, so that the next request starts another worker.
    worker = undefined;
    void rested?.terminate();
  }, limits.idle).unref();

  function start(): Worker {
    const newWorker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: limits.memory } });
    newWorker.unref();
    // An exit after a response affects no caller.
    newWorker.on('error', () => undefined);
    newWorker.once('exit', () => {
      if (worker === newWorker) worker = undefined;
    });
    return newWorker;
  }

  async function ask(request: Order): Promise<Reply> {
    if (closed) throw new WorkerExitedError('The server ends.');
    const thread = (worker ??= start());
    const { promise, resolve: settle, reject } = Promise.withResolvers<Reply>();
    const take = (handleMessage: Reply | { ready: true }) => {
      if (!isReady(handleMessage)) settle(handleMessage);
    };
    const fail = (error: unknown) =>
      reject(new WorkerExitedError(isOutOfMemory(error) ? tooLarge : String(error)));
    const exit = () => reject(new WorkerExitedError('The thread ended.'));
    thread.on('message', take).once('error', fail).once('exit', exit);
    const watch = watchTime(thread, (limit) => {
      reject(new WorkerExitedError(tooLong(limit)));
      void thread.terminate();
    });
    Atomics.store(sharedPlace, 0, 0);
    busy = true;
    thread.ref();
    thread.postMessage(request);
    try {
      return await promise;
    } catch (error) {
      // The next request starts another worker, even if this one has not exited yet.
      if (worker === thread) worker = undefined;
      throw error;
    } finally {
      clearInterval(watch);
      thread.off('message', take).off('error', fail).off('exit', exit);
      busy = false;
      thread.unref();
      idle.refresh();
    }
  }

  /** Calls `late` when the worker has spent more than its time on one item. */
  function watchTime(thread: Worker, late: (limit: number) => void): NodeJS.Timeout {
    let lastSample = { item: 0, spent: 0 };
    return setInterval(() => {
      thread.cpuUsage().then(
        ({ user }) => {
          const item = Atomics.load(sharedPlace, 0);
          const limit = item < 0 ? limits.parsing : limits.time;
          if (item !== lastSample.item) lastSample = { item, spent: user };
          // Before the first thing its program is loaded.
          else if (item !== 0 && user - lastSample.spent > limit * 1000) late(limit);
        },
        () => undefined,
      );
    }, look);
  }

  return {
    sharedPosition: sharedPlace,
    ask,
    queued: createMutex(),
    isClosed: () => closed,
    async close() {
      closed = true;
      clearTimeout(idle);
      await worker?.terminate();
    },
  };
}

const tooLarge = 'Out of memory.';

function tooLong(milliseconds: number): string {
  return `It takes longer than ${milliseconds} ms.`;
}

function isReady(response: unknown): response is { ready: true } {
  return typeof response === 'object' && response !== null && 'ready' in response;
}
