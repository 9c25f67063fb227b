import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { RecordName } from '../../core/app/erasures.ts';
import type { FindAnswer } from '../../core/app/find.ts';
import { removeDatabase } from '../store/sqlite/backup-folder.ts';
import { threadFile } from '../store/thread-file.ts';
import type { FindOrder, FindPlaces, FindReport } from './find-worker.ts';
import type { FindQuestion } from './text-query.ts';

/** Delay in milliseconds after a start before the index is opened. The first requests go first. */
const startDelayMs = 1000;

const file = threadFile(import.meta, 'find-worker');

interface PendingOrder {
  readonly order: FindOrder;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

function textPath(dataDir: string): string {
  return join(dataDir, 'text.db');
}

/**
 * Creates the finder of a data folder: a worker thread with the index that executes one order at a time. The index
 * follows
 * the records of the folder, or of a shared store at an address.
 */
export function createFinder(dataDir: string, store?: string) {
  const text = textPath(dataDir);
  const workerData: FindPlaces = {
    text,
    records: store ?? join(dataDir, 'records.db'),
    shared: store !== undefined,
  };
  const pendingOrders: PendingOrder[] = [];
  let worker: Worker | undefined;
  let currentOrder: PendingOrder | undefined;
  let pauseCount = 0;
  let closed = false;

  function start(): Worker {
    const thread = new Worker(file, { workerData });
    thread.unref();
    thread.on('message', (report: FindReport) => {
      if ('fault' in report) currentOrder?.reject(new Error(report.fault));
      else currentOrder?.resolve(report.result);
      sendNext();
    });
    const onEnd = (fault: unknown) => {
      if (worker !== thread) return;
      worker = undefined;
      currentOrder?.reject(fault);
      sendNext();
    };
    thread.once('error', onEnd);
    thread.once('exit', () => onEnd(new Error('The thread of the finder ended.')));
    return thread;
  }

  /** Sends the next order. Skips aborted ones, for example after a further key press. */
  function sendNext(): void {
    currentOrder = undefined;
    for (;;) {
      const next = pendingOrders.shift();
      if (!next) return;
      if (next.signal?.aborted) {
        next.reject(next.signal.reason);
        continue;
      }
      currentOrder = next;
      worker ??= start();
      worker.postMessage(next.order);
      return;
    }
  }

  function send(order: FindOrder, signal?: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      pendingOrders.push({ order, signal, resolve, reject });
      if (!currentOrder) sendNext();
    });
  }

  const timer = setTimeout(() => {
    if (pauseCount === 0) worker ??= start();
  }, startDelayMs).unref();

  return {
    /** Returns the matches. Returns none with `behind` null if the index is unavailable. */
    async ask(question: FindQuestion, signal?: AbortSignal): Promise<FindAnswer> {
      const emptyAnswer: FindAnswer = { patients: [], records: [], behind: null };
      if (closed || pauseCount > 0) return emptyAnswer;
      try {
        return (await send({ ask: question }, signal)) as FindAnswer;
      } catch (error) {
        if (signal?.aborted) throw error;
        return emptyAnswer;
      }
    },

    /** Removes erased records from the index. Deletes an index that can't be cleaned. */
    async erase(names: readonly RecordName[]): Promise<void> {
      if (!worker && !existsSync(text)) return;
      await send({ erase: names });
    },

    /** Closes the records during work that moves them. */
    async pauseDuring<Result>(work: () => Promise<Result>): Promise<Result> {
      pauseCount += 1;
      try {
        if (worker) await send({ rest: 'pause' });
        return await work();
      } finally {
        pauseCount -= 1;
        if (worker) void send({}).catch(() => undefined);
      }
    },

    /** Executes pending erasures and rejects all other orders. */
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      for (const pendingOrder of pendingOrders.splice(0)) {
        if (pendingOrder.order.erase) pendingOrders.push(pendingOrder);
        else pendingOrder.reject(new Error('The server ends.'));
      }
      if (worker) await send({ rest: 'end' }).catch(() => undefined);
    },
  };
}

export type Finder = ReturnType<typeof createFinder>;

/**
 * Creates the finder of a data folder that no server has open. It deletes the index, and the next server creates it
 * again.
 */
export function offlineFinder(dataDir: string): Pick<Finder, 'erase'> {
  return {
    erase() {
      removeDatabase(textPath(dataDir));
      return Promise.resolve();
    },
  };
}
