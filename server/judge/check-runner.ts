/**
 * Asks stewards' checks of records in a thread of its own. Called by the job that checks all records, and where a check is
 * tried. Invariant: an expression that runs away, or that takes the thread's memory, costs its own record its verdict and
 * nobody else's; the thread that answers requests never waits for one.
 */
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Asked, CheckQuestion } from '../../core/app/checks.ts';
import { itemOf, type CheckAnswers, type CheckOrder, type CheckReply } from './check-messages.ts';

export interface RunnerLimits {
  /** Milliseconds of the processor's time for one check on one record. Other work beside does not count. */
  readonly time: number;
  /** Megabytes of the thread. */
  readonly memory: number;
  /** Records on which a check may run away in one call, before it is given up. */
  readonly runaways: number;
  /** Milliseconds without work after which the thread ends. */
  readonly idle: number;
}

const usual: RunnerLimits = { time: 250, memory: 512, runaways: 5, idle: 10_000 };

/** Milliseconds between two looks at what the thread does. */
const look = 25;

/** What an order is answered with. */
type CheckAnswer = Exclude<CheckReply, { ready: true }>;

export interface Judged {
  readonly answers: CheckAnswers;
  /** Numbers of the checks that ran away on too many records: none of the others was asked. */
  readonly halted: ReadonlySet<number>;
}

export type CheckRunner = ReturnType<typeof createCheckRunner>;

const file = resolve(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? './check-thread.ts' : './check-thread.js',
);

/** That a thread ended before it answered. */
class Ended extends Error {
  override readonly name = 'Ended';
  readonly why: string;

  constructor(why: string) {
    super(why);
    this.why = why;
  }
}

export function createCheckRunner(given: Partial<RunnerLimits> = {}) {
  const limits = { ...usual, ...given };
  const place = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let worker: Worker | undefined;
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();
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

  /** The thread's answer; rejects with {@link Ended} where it ended before. */
  async function ask(order: CheckOrder): Promise<CheckAnswer> {
    if (closed) throw new Ended('The server ends.');
    const thread = (worker ??= start());
    const { promise, resolve: settle, reject } = Promise.withResolvers<CheckAnswer>();
    const take = (reply: CheckReply) => {
      if (!('ready' in reply)) settle(reply);
    };
    const fail = (error: unknown) => reject(new Ended(isOutOfMemory(error) ? tooLarge : String(error)));
    const exit = () => reject(new Ended('The thread ended.'));
    thread.on('message', take).once('error', fail).once('exit', exit);
    const watch = watchTime(thread, limits.time, () => {
      reject(new Ended(tooLong(limits.time)));
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

  /** Calls `late` where the thread has spent more than this on one thing. */
  function watchTime(thread: Worker, time: number, late: () => void): NodeJS.Timeout {
    let seen = { item: -1, spent: 0 };
    return setInterval(() => {
      thread.cpuUsage().then(
        ({ user }) => {
          const item = Atomics.load(place, 0);
          if (item !== seen.item) seen = { item, spent: user };
          // Before the first thing its program is loaded.
          else if (item > 0 && user - seen.spent > time * 1000) late();
        },
        () => undefined,
      );
    }, look);
  }

  async function judge(
    checks: readonly CheckQuestion[],
    texts: readonly (string | undefined)[],
  ): Promise<Judged> {
    const why = new Map<number, string>();
    const runaways = checks.map(() => 0);
    const halted = new Set<number>();
    const without = new Set<number>();
    for (;;) {
      try {
        const reply = await ask({ checks, texts, without, place });
        const answers = 'answers' in reply ? reply.answers : [];
        return { answers: answers.map((row, at) => explained(row, at)), halted };
      } catch (error) {
        const item = Atomics.load(place, 0);
        if (!(error instanceof Ended) || item === 0 || closed) throw error;
        without.add(item);
        why.set(item, error.why);
        const check = (item - 1) % checks.length;
        runaways[check] = (runaways[check] ?? 0) + 1;
        if (runaways[check] < limits.runaways) continue;
        halted.add(check);
        for (const record of texts.keys()) without.add(itemOf(record, check, checks.length));
      }
    }

    function explained(row: readonly Asked[], record: number): readonly Asked[] {
      return row.map((one, check): Asked =>
        one.is === 'skipped' && one.why === ''
          ? { is: 'skipped', why: why.get(itemOf(record, check, checks.length)) ?? givenUp }
          : one,
      );
    }
  }

  /** One behind the other: there is one thread. */
  function queued<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  return {
    /** What is wrong with a check's expressions, by the name of each. */
    faults: (faultsIn: CheckQuestion): Promise<readonly (readonly [name: string, fault: string])[]> =>
      queued(async () => {
        const reply = await ask({ faultsIn });
        return 'faults' in reply ? reply.faults : [];
      }),

    /** What checks that can be parsed come to for records. */
    judge: (checks: readonly CheckQuestion[], texts: readonly (string | undefined)[]): Promise<Judged> =>
      queued(() => judge(checks, texts)),

    async close(): Promise<void> {
      closed = true;
      clearTimeout(idle);
      await worker?.terminate();
    },
  };
}

const tooLarge = 'It takes more memory than is at hand.';
const givenUp = 'The check was given up, as it ran away on other records.';

function tooLong(milliseconds: number): string {
  return `It takes longer than ${milliseconds} ms.`;
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
