/** Worker thread of `createFinder`. */
import { parentPort, workerData } from 'node:worker_threads';
import type { RecordName } from '../../core/app/erasures.ts';
import { stepBack } from '../store/thread-priority.ts';
import { fileSource } from './file-source.ts';
import { storeSource } from './store-source.ts';
import { TextIndex } from './text-index.ts';
import { batch } from './text-source.ts';
import type { FindQuestion } from './text-query.ts';

/** Path of the index, and its records: those of a file, or of a shared store at an address. */
export interface FindPlaces {
  readonly text: string;
  readonly records: string;
  readonly shared: boolean;
}

export interface FindOrder {
  readonly ask?: FindQuestion;
  readonly erase?: readonly RecordName[];
  /** Closes the files until the next order. With `end`, forever. */
  readonly rest?: 'pause' | 'end';
}

export type FindReport = { readonly result: unknown } | { readonly fault: string };

/** Delay in milliseconds before the next step after no new versions, or after few. */
const stepDelaysMs = { none: 1000, few: 200 };

/** Below this number of versions, a step costs more than its result. A question reads new versions anyway. */
const fewVersions = batch.rows / 4;

stepBack();
const { text, records, shared } = workerData as FindPlaces;
const index = new TextIndex(text, () => (shared ? storeSource(records) : fileSource(records)));
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

async function execute({ ask, erase, rest: pauseMode }: FindOrder): Promise<unknown> {
  isPaused = pauseMode !== undefined;
  if (isPaused) {
    clearTimeout(timer);
    await index.close();
    return undefined;
  }
  scheduleStep(0);
  if (erase) await index.erase(erase);
  return ask && index.ask(ask);
}

async function createReport(order: FindOrder): Promise<FindReport> {
  try {
    return { result: await execute(order) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'The finder failed.' };
  }
}

parentPort?.on('message', (order: FindOrder) => {
  void createReport(order).then((report) => {
    parentPort?.postMessage(report);
    if (order.rest === 'end') parentPort?.close();
  });
});
scheduleStep(0);
