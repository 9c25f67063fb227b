/** Worker thread of `createFinder`: keeps the text index up to date and answers queries. */
import type { RecordName } from '../../core/app/erasures.ts';
import { getThreadData, lowerPriority, serveRequests } from '../threads/serve-requests.ts';
import { fileSource } from './file-source.ts';
import { TextIndex } from './text-index.ts';
import { batchLimits } from './text-source.ts';
import type { FindQuery } from './text-query.ts';

export interface FindWorkerData {
  /** Path of the index file. */
  readonly indexPath: string;
  /** Path of the database file, or address of the shared store. */
  readonly recordsLocation: string;
  readonly isSharedStore: boolean;
}

/** Delay in milliseconds before the next step, by the number of versions that the last step indexed. */
const stepDelaysMs = { none: 1000, few: 200 };

/** Fewer new versions are not worth an immediate step. A query indexes them before it is answered. */
const fewVersions = batchLimits.rows / 4;

lowerPriority();
const { indexPath, recordsLocation, isSharedStore } = getThreadData() as FindWorkerData;
const openSource = isSharedStore ? (await import('../shared/store-source.ts')).storeSource : fileSource;
const index = new TextIndex(indexPath, () => openSource(recordsLocation));
let timer: NodeJS.Timeout | undefined;
let isEnding = false;

function scheduleStep(milliseconds: number): void {
  clearTimeout(timer);
  if (!isEnding) timer = setTimeout(() => void runStep(), milliseconds);
}

async function runStep(): Promise<void> {
  let indexedCount = 0;
  try {
    indexedCount = await index.step();
  } catch {
    // A full disk, or records that can't be read now. The next step retries.
  }
  scheduleStep(indexedCount === 0 ? stepDelaysMs.none : indexedCount < fewVersions ? stepDelaysMs.few : 0);
}

const handlers = {
  search(query: FindQuery) {
    scheduleStep(0);
    return index.search(query);
  },
  erase(names: readonly RecordName[]) {
    scheduleStep(0);
    return index.erase(names);
  },
};

export type FindHandlers = typeof handlers;

serveRequests(handlers, () => {
  isEnding = true;
  clearTimeout(timer);
  return index.close();
});
scheduleStep(0);
