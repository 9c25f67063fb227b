/** Worker thread of `ReaderPool`. */
import {
  getThreadData,
  isRequestAborted,
  lowerPriority,
  serveRequests,
} from '../../threads/serve-requests.ts';
import { prepareLookups } from './lookups.ts';
import { runQuery, type QueryName, type Reading } from './reader-queries.ts';
import { recordHistory } from './record-history.ts';
import { recordQuality } from './record-quality.ts';
import { recordSearch } from './record-search.ts';
import { openReader } from '../../sqlite/sqlite.ts';

/** Numbers that invalidate cached counts. They cover changes that version and record numbers do not show. */
export interface CacheGenerations {
  readonly rows: number;
  readonly issues: number;
}

lowerPriority();
const database = openReader(String(getThreadData()));
const reading: Reading = {
  searches: recordSearch(database),
  quality: recordQuality(database),
  histories: recordHistory(database),
  statements: prepareLookups(database),
  isAborted: isRequestAborted,
};
let currentGenerations: CacheGenerations = { rows: 0, issues: 0 };

function evictOutdated(generations: CacheGenerations): void {
  if (generations.rows !== currentGenerations.rows || generations.issues !== currentGenerations.issues)
    reading.searches.forget();
  if (generations.issues !== currentGenerations.issues) reading.quality.forget();
  currentGenerations = generations;
}

const handlers = {
  query(name: QueryName, queryArguments: unknown, generations: CacheGenerations): unknown {
    evictOutdated(generations);
    // A transaction, so that a query reads one state. It ends with the query: an open one would prevent truncation of
    // the WAL.
    return database.transaction(() => runQuery(name, reading, queryArguments as never)).deferred();
  },
};

export type ReaderHandlers = typeof handlers;

serveRequests(handlers, () => database.close());
