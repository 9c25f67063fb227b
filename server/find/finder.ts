import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordName } from '../../core/app/erasures.ts';
import type { FindAnswer } from '../../core/app/find.ts';
import { createBackground, type ScheduleEvery } from '../background/background.ts';
import { removeDatabase } from '../sqlite/backup-folder.ts';
import { threadFile, ThreadPool } from '../threads/thread-pool.ts';
import type { FindHandlers, FindWorkerData } from './find-worker.ts';
import type { FindQuery } from './text-query.ts';

/**
 * Milliseconds after a start before the index is opened, since the first requests go first, and in which writes are
 * gathered. A query indexes new versions in any case.
 */
const delayMs = 1000;

const file = threadFile(import.meta, 'find-worker');

function textPath(dataDir: string): string {
  return join(dataDir, 'text.db');
}

/**
 * Creates the finder of a data folder: a worker thread with the index that executes one command at a time. The index
 * follows the records of the folder, or of a shared store at an address.
 */
export function createFinder(
  dataDir: string,
  { store, scheduleEvery }: { readonly store?: string; readonly scheduleEvery?: ScheduleEvery } = {},
) {
  const indexPath = textPath(dataDir);
  const data: FindWorkerData = {
    indexPath,
    recordsLocation: store ?? join(dataDir, 'records.db'),
    isSharedStore: store !== undefined,
  };
  const thread = new ThreadPool<FindHandlers>(file, { data });
  const pendingErasures = new Set<Promise<void>>();
  let pauseCount = 0;
  let closed = false;

  /** @throws Error after close(), so that a waiting query does not delay an erasure. */
  function parametersOf(query: FindQuery): [FindQuery] {
    if (closed) throw new Error('The server ends.');
    return [query];
  }

  // A full disk, or records that can't be read now, only delay it.
  const follower = createBackground({
    step: async () => pauseCount === 0 && (await thread.ask('step', [])) !== 0,
    // The announcement of another server's write may be lost.
    isDue: () => store !== undefined,
    scheduleEvery,
  });
  follower.wakeSoon(delayMs);

  return {
    /** Returns the matches. Returns none with `behind` null if the index is unavailable. */
    async search(query: FindQuery, signal?: AbortSignal): Promise<FindAnswer> {
      const emptyAnswer: FindAnswer = { patients: [], records: [], behind: null };
      if (closed || pauseCount > 0) return emptyAnswer;
      try {
        const answer = await thread.ask('search', () => parametersOf(query), { signal });
        if (answer.behind !== 0) follower.wake();
        return answer;
      } catch (error) {
        if (signal?.aborted) throw error;
        return emptyAnswer;
      }
    },

    /** A version was stored, by this or another server. */
    onVersionStored: () => follower.wakeSoon(delayMs),

    /** Removes erased records from the index. Deletes an index that can't be cleaned. */
    async erase(names: readonly RecordName[]): Promise<void> {
      if (!thread.isRunning && !existsSync(indexPath)) return;
      const erasure = thread.ask('erase', [names]);
      pendingErasures.add(erasure);
      await erasure.finally(() => pendingErasures.delete(erasure));
    },

    /** Closes the records during work that moves them. */
    async pauseDuring<Result>(work: () => Promise<Result>): Promise<Result> {
      pauseCount += 1;
      const resume = await thread.pause();
      try {
        return await work();
      } finally {
        pauseCount -= 1;
        resume();
        follower.wake();
      }
    },

    /** Executes pending erasures and answers pending queries with no match. */
    async close(): Promise<void> {
      closed = true;
      const following = follower.close();
      await Promise.allSettled(pendingErasures);
      await thread.close();
      await following;
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
