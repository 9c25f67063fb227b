/** Worker thread of `ReaderPool`. */
import { parentPort, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '../thread-priority.ts';
import { prepareLookups } from './lookups.ts';
import { replyOf } from '../thread-reply.ts';
import { runQuery, type QueryName, type Reading } from './reader-queries.ts';
import { recordHistory } from './record-history.ts';
import { recordQuality } from './record-quality.ts';
import { recordSearch } from './record-search.ts';
import { serializeError, openReader } from '../../sqlite/sqlite.ts';

/** Numbers that invalidate cached counts. They cover changes that version and record numbers do not show. */
export interface CacheGenerations {
  readonly rows: number;
  readonly issues: number;
}

export interface ReaderWorkerOptions {
  readonly path: string;
  /** Not 0 where nobody waits for the answer any more. */
  readonly abortFlag: Int32Array;
}

/** A query, or the order to close the database and end. */
export type ToReader =
  | { readonly name: QueryName; readonly queryArguments: unknown; readonly editions: CacheGenerations }
  | { readonly close: true };

lowerThreadPriority();
const { path, abortFlag } = workerData as ReaderWorkerOptions;
const database = openReader(path);
const reading: Reading = {
  searches: recordSearch(database),
  quality: recordQuality(database),
  histories: recordHistory(database),
  statements: prepareLookups(database),
  isAborted: () => Atomics.load(abortFlag, 0) !== 0,
};
let currentGenerations: CacheGenerations = { rows: 0, issues: 0 };

/** Discards cached counts that are outdated. */
function evictOutdated(editions: CacheGenerations): void {
  if (editions.rows !== currentGenerations.rows || editions.issues !== currentGenerations.issues)
    reading.searches.forget();
  if (editions.issues !== currentGenerations.issues) reading.quality.forget();
  currentGenerations = editions;
}

parentPort?.on('message', (message: ToReader) => {
  if ('close' in message) {
    database.close();
    parentPort?.close();
    return;
  }
  const { name, queryArguments, editions } = message;
  evictOutdated(editions);
  // A transaction, so that a query reads one state. It ends with the query: an open one would prevent truncation of the
  // WAL.
  const runInTransaction = database.transaction(() => runQuery(name, reading, queryArguments as never));
  parentPort?.postMessage(replyOf(() => runInTransaction.deferred(), serializeError));
});
