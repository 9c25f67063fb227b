/** The thread of `createFinder`; its own entry, as a thread is started by a file. */
import { parentPort, workerData } from 'node:worker_threads';
import type { RecordName } from '../../core/app/erasures.ts';
import { stepBack } from '../store/thread-priority.ts';
import { fileSource } from './file-source.ts';
import { storeSource } from './store-source.ts';
import { TextIndex } from './text-index.ts';
import { batch } from './text-source.ts';
import type { FindQuestion } from './text-query.ts';

/** Where the index lies, and the records that it follows: a file's, or those of a shared store at an address. */
export interface FindPlaces {
  readonly text: string;
  readonly records: string;
  readonly shared: boolean;
}

export interface FindOrder {
  readonly ask?: FindQuestion;
  readonly erase?: readonly RecordName[];
  /** Lets go of the files until the next order; `end` for good. */
  readonly rest?: 'pause' | 'end';
}

export type FindReport = { readonly result: unknown } | { readonly fault: string };

/** Milliseconds until the next look for new versions, where there were none, and where there were few. */
const pace = { none: 1000, few: 200 };

/** With fewer, a look costs more than what it finds: a question reads what is new in any case. */
const few = batch.rows / 4;

stepBack();
const { text, records, shared } = workerData as FindPlaces;
const index = new TextIndex(text, () => (shared ? storeSource(records) : fileSource(records)));
let timer: NodeJS.Timeout | undefined;
let resting = false;

function later(milliseconds: number): void {
  clearTimeout(timer);
  if (!resting) timer = setTimeout(() => void goOn(), milliseconds);
}

async function goOn(): Promise<void> {
  let found = 0;
  try {
    found = await index.step();
  } catch {
    // A disk that is full, or records that cannot be read now: tried again.
  }
  later(found === 0 ? pace.none : found < few ? pace.few : 0);
}

async function follow({ ask, erase, rest }: FindOrder): Promise<unknown> {
  resting = rest !== undefined;
  if (resting) {
    clearTimeout(timer);
    await index.close();
    return undefined;
  }
  later(0);
  if (erase) await index.erase(erase);
  return ask && index.ask(ask);
}

async function reportOf(order: FindOrder): Promise<FindReport> {
  try {
    return { result: await follow(order) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'The finder failed.' };
  }
}

parentPort?.on('message', (order: FindOrder) => {
  void reportOf(order).then((report) => {
    parentPort?.postMessage(report);
    if (order.rest === 'end') parentPort?.close();
  });
});
later(0);
