import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { RecordName } from '../../core/app/erasures.ts';
import type { FindAnswer } from '../../core/app/find.ts';
import { removeDatabase } from '../sqlite/backup-folder.ts';
import { threadFile } from '../store/thread-file.ts';
import type { FindCommand, FindWorkerData, FindResponse } from './find-worker.ts';
import type { FindQuery } from './text-query.ts';

/** Delay in milliseconds after a start before the index is opened. The first requests go first. */
const startDelayMs = 1000;

const file = threadFile(import.meta, 'find-worker');

interface PendingCommand {
  readonly command: FindCommand;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

function textPath(dataDir: string): string {
  return join(dataDir, 'text.db');
}

/**
 * Creates the finder of a data folder: a worker thread with the index that executes one command at a time. The index
 * follows the records of the folder, or of a shared store at an address.
 */
export function createFinder(dataDir: string, store?: string) {
  const indexPath = textPath(dataDir);
  const workerData: FindWorkerData = {
    indexPath,
    recordsLocation: store ?? join(dataDir, 'records.db'),
    isSharedStore: store !== undefined,
  };
  const pendingCommands: PendingCommand[] = [];
  let worker: Worker | undefined;
  let currentCommand: PendingCommand | undefined;
  let pauseCount = 0;
  let closed = false;

  function start(): Worker {
    const thread = new Worker(file, { workerData });
    thread.unref();
    thread.on('message', (response: FindResponse) => {
      if ('errorMessage' in response) currentCommand?.reject(new Error(response.errorMessage));
      else currentCommand?.resolve(response.result);
      sendNext();
    });
    const onEnd = (error: unknown) => {
      if (worker !== thread) return;
      worker = undefined;
      currentCommand?.reject(error);
      sendNext();
    };
    thread.once('error', onEnd);
    thread.once('exit', () => onEnd(new Error('The thread of the finder ended.')));
    return thread;
  }

  /** Sends the next command. Skips aborted ones, for example after a further key press. */
  function sendNext(): void {
    currentCommand = undefined;
    for (;;) {
      const next = pendingCommands.shift();
      if (!next) return;
      if (next.signal?.aborted) {
        next.reject(next.signal.reason);
        continue;
      }
      currentCommand = next;
      worker ??= start();
      worker.postMessage(next.command);
      return;
    }
  }

  function send(command: FindCommand, signal?: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      pendingCommands.push({ command, signal, resolve, reject });
      if (!currentCommand) sendNext();
    });
  }

  const timer = setTimeout(() => {
    if (pauseCount === 0) worker ??= start();
  }, startDelayMs).unref();

  return {
    /** Returns the matches. Returns none with `behind` null if the index is unavailable. */
    async search(query: FindQuery, signal?: AbortSignal): Promise<FindAnswer> {
      const emptyAnswer: FindAnswer = { patients: [], records: [], behind: null };
      if (closed || pauseCount > 0) return emptyAnswer;
      try {
        return (await send({ query }, signal)) as FindAnswer;
      } catch (error) {
        if (signal?.aborted) throw error;
        return emptyAnswer;
      }
    },

    /** Removes erased records from the index. Deletes an index that can't be cleaned. */
    async erase(names: readonly RecordName[]): Promise<void> {
      if (!worker && !existsSync(indexPath)) return;
      await send({ erasedRecords: names });
    },

    /** Closes the records during work that moves them. */
    async pauseDuring<Result>(work: () => Promise<Result>): Promise<Result> {
      pauseCount += 1;
      try {
        if (worker) await send({ closeMode: 'pause' });
        return await work();
      } finally {
        pauseCount -= 1;
        if (worker) void send({}).catch(() => undefined);
      }
    },

    /** Executes pending erasures and rejects all other commands. */
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      for (const pendingCommand of pendingCommands.splice(0)) {
        if (pendingCommand.command.erasedRecords) pendingCommands.push(pendingCommand);
        else pendingCommand.reject(new Error('The server ends.'));
      }
      if (worker) await send({ closeMode: 'end' }).catch(() => undefined);
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
