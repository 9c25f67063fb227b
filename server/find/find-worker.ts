/** Worker thread of `createFinder`: keeps the text index up to date and answers queries. */
import { parentPort, workerData } from 'node:worker_threads';
import type { RecordName } from '../../core/app/erasures.ts';
import { lowerThreadPriority } from '../store/thread-priority.ts';
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

export interface FindCommand {
  readonly query?: FindQuery;
  readonly erasedRecords?: readonly RecordName[];
  /** Closes the files: `pause` until the next command, `end` for good. */
  readonly closeMode?: 'pause' | 'end';
}

export type FindResponse = { readonly result: unknown } | { readonly errorMessage: string };

/** Delay in milliseconds before the next step, by the number of versions that the last step indexed. */
const stepDelaysMs = { none: 1000, few: 200 };

/** Fewer new versions are not worth an immediate step. A query indexes them before it is answered. */
const fewVersions = batchLimits.rows / 4;

lowerThreadPriority();
const { indexPath, recordsLocation, isSharedStore } = workerData as FindWorkerData;
const openSource = isSharedStore ? (await import('../shared/store-source.ts')).storeSource : fileSource;
const index = new TextIndex(indexPath, () => openSource(recordsLocation));
let timer: NodeJS.Timeout | undefined;
let isPaused = false;

function scheduleStep(milliseconds: number): void {
  clearTimeout(timer);
  if (!isPaused) timer = setTimeout(() => void runStep(), milliseconds);
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

async function execute({ query, erasedRecords, closeMode }: FindCommand): Promise<unknown> {
  isPaused = closeMode !== undefined;
  if (isPaused) {
    clearTimeout(timer);
    await index.close();
    return undefined;
  }
  scheduleStep(0);
  if (erasedRecords) await index.erase(erasedRecords);
  return query && index.search(query);
}

async function createResponse(command: FindCommand): Promise<FindResponse> {
  try {
    return { result: await execute(command) };
  } catch (error) {
    return { errorMessage: error instanceof Error ? error.message : 'The finder failed.' };
  }
}

parentPort?.on('message', (command: FindCommand) => {
  void createResponse(command).then((response) => {
    parentPort?.postMessage(response);
    if (command.closeMode === 'end') parentPort?.close();
  });
});
scheduleStep(0);
