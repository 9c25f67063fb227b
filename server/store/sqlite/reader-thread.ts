/** A thread of `ReaderPool`; its own entry, as a thread is started by a file. */
import { parentPort, workerData } from 'node:worker_threads';
import { stepBack } from '../thread-priority.ts';
import { prepareLookups } from './lookups.ts';
import { replyOf } from '../thread-reply.ts';
import { answerOf, type QuestionName, type Reading } from './questions.ts';
import { recordHistory } from './record-history.ts';
import { recordQuality } from './record-quality.ts';
import { recordSearch } from './record-search.ts';
import { carryError, openReader } from './sqlite.ts';

/** What changed in a way that the numbers of records and versions do not tell: what was counted before holds no more. */
export interface Editions {
  readonly rows: number;
  readonly issues: number;
}

export interface ReaderGiven {
  readonly path: string;
  /** Not 0 where nobody waits for the answer any more. */
  readonly givenUp: Int32Array;
}

/** A question; or that the thread is to close the database and to end. */
export type ToReader =
  | { readonly name: QuestionName; readonly asked: unknown; readonly editions: Editions }
  | { readonly close: true };

stepBack();
const { path, givenUp } = workerData as ReaderGiven;
const database = openReader(path);
const reading: Reading = {
  searches: recordSearch(database),
  quality: recordQuality(database),
  histories: recordHistory(database),
  statements: prepareLookups(database),
  givenUp: () => Atomics.load(givenUp, 0) !== 0,
};
let known: Editions = { rows: 0, issues: 0 };

/** What was counted before counts as far as it still holds. */
function settleOn(editions: Editions): void {
  if (editions.rows !== known.rows || editions.issues !== known.issues) reading.searches.forget();
  if (editions.issues !== known.issues) reading.quality.forget();
  known = editions;
}

parentPort?.on('message', (message: ToReader) => {
  if ('close' in message) {
    database.close();
    parentPort?.close();
    return;
  }
  const { name, asked, editions } = message;
  settleOn(editions);
  // One state of the database for all that an answer reads, and none is held behind it: the log could not be emptied.
  const read = database.transaction(() => answerOf(name, reading, asked as never));
  parentPort?.postMessage(replyOf(() => read.deferred(), carryError));
});
