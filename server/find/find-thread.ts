/** The thread of `createFinder`; its own entry, as a thread is started by a file. */
import { parentPort, workerData } from 'node:worker_threads';
import type { RecordName } from '../../core/app/erasures.ts';
import { stepBack } from '../store/thread-priority.ts';
import { TextIndex, type TextIndexPaths } from './text-index.ts';
import type { FindQuestion } from './text-query.ts';

export interface FindOrder {
  readonly ask?: FindQuestion;
  readonly erase?: readonly RecordName[];
  /** Lets go of the files until the next order; `end` for good. */
  readonly rest?: 'pause' | 'end';
}

export type FindReport = { readonly result: unknown } | { readonly fault: string };

/** Milliseconds between two looks for new versions. */
const pace = 1000;

stepBack();
const index = new TextIndex(workerData as TextIndexPaths);
let callOff: () => void = () => undefined;

function later(milliseconds: number): void {
  callOff();
  const timer = setTimeout(goOn, milliseconds);
  callOff = () => clearTimeout(timer);
}

function goOn(): void {
  let more = false;
  try {
    more = index.step();
  } catch {
    // A disk that is full, or records that cannot be read beside now: tried again.
  }
  later(more ? 0 : pace);
}

function follow({ ask, erase, rest }: FindOrder): unknown {
  if (rest !== undefined) {
    callOff();
    index.close();
    return undefined;
  }
  later(0);
  if (erase) index.erase(erase);
  return ask && index.ask(ask);
}

function reportOf(order: FindOrder): FindReport {
  try {
    return { result: follow(order) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'The finder failed.' };
  }
}

parentPort?.on('message', (order: FindOrder) => {
  parentPort?.postMessage(reportOf(order));
  if (order.rest === 'end') parentPort?.close();
});
later(0);
