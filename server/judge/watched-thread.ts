/**
 * A thread that is ended where one thing takes it too long, or too much memory. Called by what evaluates expressions that
 * somebody else wrote. Invariant: who asks hears of it, and what is asked next begins another thread.
 */
import { Worker } from 'node:worker_threads';
import { isOutOfMemory } from '../store/thread-file.ts';
import { turns } from '../store/turns.ts';

export interface WatchLimits {
  /** Milliseconds of the processor's time for one thing. Other work beside does not count. */
  readonly time: number;
  /** The same for parsing one expression, which costs the more the longer it is, whatever it is asked of. */
  readonly parsing: number;
  /** Megabytes of the thread. */
  readonly memory: number;
  /** Milliseconds without work after which the thread ends. */
  readonly idle: number;
}

/** Milliseconds between two looks at what the thread does. */
const look = 25;

/** That a thread ended before it answered. */
export class Ended extends Error {
  override readonly name = 'Ended';
  readonly why: string;

  constructor(why: string) {
    super(why);
    this.why = why;
  }
}

export interface WatchedThread<Order, Reply> {
  /** Where the thread notes what it does just now: see watched-place.ts; 0 is nothing that is watched. */
  readonly place: Int32Array;
  /** The thread's answer to an order; rejects with {@link Ended} where it ended before. */
  ask(order: Order): Promise<Reply>;
  /** Does work that asks behind all that came before: there is one thread. */
  queued<Result>(work: () => Promise<Result>): Promise<Result>;
  isClosed(): boolean;
  close(): Promise<void>;
}

/** @param file - The thread's entry; it says `{ ready: true }` once, then answers each order. */
export function watchedThread<Order, Reply>(file: string, limits: WatchLimits): WatchedThread<Order, Reply> {
  const place = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let worker: Worker | undefined;
  let closed = false;
  let busy = false;
  const idle = setTimeout(() => {
    if (busy) {
      idle.refresh();
      return;
    }
    const rested = worker;
    // Before it is gone: what is asked next begins another.
    worker = undefined;
    void rested?.terminate();
  }, limits.idle).unref();

  function start(): Worker {
    const made = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: limits.memory } });
    made.unref();
    // What ends behind an answer fails nobody.
    made.on('error', () => undefined);
    made.once('exit', () => {
      if (worker === made) worker = undefined;
    });
    return made;
  }

  async function ask(order: Order): Promise<Reply> {
    if (closed) throw new Ended('The server ends.');
    const thread = (worker ??= start());
    const { promise, resolve: settle, reject } = Promise.withResolvers<Reply>();
    const take = (reply: Reply | { ready: true }) => {
      if (!isReady(reply)) settle(reply);
    };
    const fail = (error: unknown) => reject(new Ended(isOutOfMemory(error) ? tooLarge : String(error)));
    const exit = () => reject(new Ended('The thread ended.'));
    thread.on('message', take).once('error', fail).once('exit', exit);
    const watch = watchTime(thread, (limit) => {
      reject(new Ended(tooLong(limit)));
      void thread.terminate();
    });
    Atomics.store(place, 0, 0);
    busy = true;
    thread.ref();
    thread.postMessage(order);
    try {
      return await promise;
    } catch (error) {
      // What is asked next begins another, though this one may not have ended yet.
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

  /** Calls `late` where the thread has spent more than its time on one thing. */
  function watchTime(thread: Worker, late: (limit: number) => void): NodeJS.Timeout {
    let seen = { item: 0, spent: 0 };
    return setInterval(() => {
      thread.cpuUsage().then(
        ({ user }) => {
          const item = Atomics.load(place, 0);
          const limit = item < 0 ? limits.parsing : limits.time;
          if (item !== seen.item) seen = { item, spent: user };
          // Before the first thing its program is loaded.
          else if (item !== 0 && user - seen.spent > limit * 1000) late(limit);
        },
        () => undefined,
      );
    }, look);
  }

  return {
    place,
    ask,
    queued: turns(),
    isClosed: () => closed,
    async close() {
      closed = true;
      clearTimeout(idle);
      await worker?.terminate();
    },
  };
}

const tooLarge = 'It takes more memory than is at hand.';

function tooLong(milliseconds: number): string {
  return `It takes longer than ${milliseconds} ms.`;
}

function isReady(reply: unknown): reply is { ready: true } {
  return typeof reply === 'object' && reply !== null && 'ready' in reply;
}
