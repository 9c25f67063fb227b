/** A thread of `ReaderPool`; its own entry, as a thread is started by a file. */
import { parentPort, workerData } from 'node:worker_threads';
import { stepBack } from '../thread-priority.ts';
import { prepareLookups } from './lookups.ts';
import { answerOf, type Reading } from './questions.ts';
import { replyOf, type Editions, type ReaderGiven, type ToReader } from './reader-messages.ts';
import { recordHistory } from './record-history.ts';
import { recordQuality } from './record-quality.ts';
import { recordSearch } from './record-search.ts';
import { openReader } from './sqlite.ts';

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
  parentPort?.postMessage(replyOf(() => read.deferred()));
});
