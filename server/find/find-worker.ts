/** Worker thread of `createFinder`: keeps the text index up to date and answers queries. */
import type { RecordName } from '../../core/app/erasures.ts';
import { getThreadData, lowerPriority, serveRequests } from '../threads/serve-requests.ts';
import { fileSource } from './file-source.ts';
import { TextIndex } from './text-index.ts';
import type { FindQuery } from './text-query.ts';

export interface FindWorkerData {
  readonly indexPath: string;
  /** Path of the database file, or address of the shared store. */
  readonly recordsLocation: string;
  readonly isSharedStore: boolean;
}

lowerPriority();
const { indexPath, recordsLocation, isSharedStore } = getThreadData() as FindWorkerData;
const openSource = isSharedStore ? (await import('../shared/store-source.ts')).storeSource : fileSource;
const index = new TextIndex(indexPath, () => openSource(recordsLocation));

const handlers = {
  search: (query: FindQuery) => index.search(query),
  erase: (names: readonly RecordName[]) => index.erase(names),
  /** Indexes some versions. Returns their number. */
  step: () => index.step(),
};

export type FindHandlers = typeof handlers;

serveRequests(handlers, () => index.close());
