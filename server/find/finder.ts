import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { RecordName } from '../../core/app/erasures.ts';
import type { FindAnswer } from '../../core/app/find.ts';
import { removeDatabase } from '../store/sqlite/backup-folder.ts';
import { threadFile } from '../store/thread-file.ts';
import type { FindOrder, FindPlaces, FindReport } from './find-thread.ts';
import type { FindQuestion } from './text-query.ts';

/** Milliseconds after a start until the index is looked at: what is asked first goes first. */
const begin = 1000;

const file = threadFile(import.meta, 'find-thread');

interface Waiting {
  readonly order: FindOrder;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

function textPath(dataDir: string): string {
  return join(dataDir, 'text.db');
}

/**
 * The finder of a data folder: a thread that keeps the index and answers from it, one order at a time. It follows the records of
 * the folder, or those of a shared store at an address.
 */
export function createFinder(dataDir: string, store?: string) {
  const text = textPath(dataDir);
  const workerData: FindPlaces = {
    ...{ text, records: store ?? join(dataDir, 'records.db'), shared: store !== undefined },
  };
  const waiting: Waiting[] = [];
  let worker: Worker | undefined;
  let answered: Waiting | undefined;
  let moving = 0;
  let closed = false;

  function start(): Worker {
    const thread = new Worker(file, { workerData });
    thread.unref();
    thread.on('message', (report: FindReport) => {
      if ('fault' in report) answered?.reject(new Error(report.fault));
      else answered?.resolve(report.result);
      handOut();
    });
    const gone = (fault: unknown) => {
      if (worker !== thread) return;
      worker = undefined;
      answered?.reject(fault);
      handOut();
    };
    thread.once('error', gone);
    thread.once('exit', () => gone(new Error('The thread of the finder ended.')));
    return thread;
  }

  /** Who asked and went away, as a further key was typed, is passed over. */
  function handOut(): void {
    answered = undefined;
    for (;;) {
      const next = waiting.shift();
      if (!next) return;
      if (next.signal?.aborted) {
        next.reject(next.signal.reason);
        continue;
      }
      answered = next;
      worker ??= start();
      worker.postMessage(next.order);
      return;
    }
  }

  function send(order: FindOrder, signal?: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      waiting.push({ order, signal, resolve, reject });
      if (!answered) handOut();
    });
  }

  const timer = setTimeout(() => {
    if (moving === 0) worker ??= start();
  }, begin).unref();

  return {
    /** What is found; nothing, and `behind` null, where the index cannot be kept now. */
    async ask(question: FindQuestion, signal?: AbortSignal): Promise<FindAnswer> {
      const nothing: FindAnswer = { patients: [], records: [], behind: null };
      if (closed || moving > 0) return nothing;
      try {
        return (await send({ ask: question }, signal)) as FindAnswer;
      } catch (error) {
        if (signal?.aborted) throw error;
        return nothing;
      }
    },

    /** Records that are erased are in the index no more; one that cannot be cleaned is deleted. */
    async erase(names: readonly RecordName[]): Promise<void> {
      if (!worker && !existsSync(text)) return;
      await send({ erase: names });
    },

    /** Lets go of the records while they are moved. */
    async aside<Result>(work: () => Promise<Result>): Promise<Result> {
      moving += 1;
      try {
        if (worker) await send({ rest: 'pause' });
        return await work();
      } finally {
        moving -= 1;
        if (worker) void send({}).catch(() => undefined);
      }
    },

    /** Erasures that wait are done first; whoever asked is answered with nothing. */
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      for (const each of waiting.splice(0)) {
        if (each.order.erase) waiting.push(each);
        else each.reject(new Error('The server ends.'));
      }
      if (worker) await send({ rest: 'end' }).catch(() => undefined);
    },
  };
}

export type Finder = ReturnType<typeof createFinder>;

/** For a data folder that no server holds: the index is deleted, and made anew by the next server. */
export function offlineFinder(dataDir: string): Pick<Finder, 'erase'> {
  return {
    erase() {
      removeDatabase(textPath(dataDir));
      return Promise.resolve();
    },
  };
}
