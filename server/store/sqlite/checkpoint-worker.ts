/** Worker thread that checkpoints the WAL for `ReaderClient`. */
import { getThreadData, serveRequests } from '../../threads/serve-requests.ts';
import { checkpointWal } from './wal-checkpoint.ts';
import { openCheckpointConnection } from '../../sqlite/sqlite.ts';

const database = openCheckpointConnection(String(getThreadData()));

const handlers = {
  checkpoint: () => checkpointWal(database, (pages) => pages > 0),
};

export type CheckpointHandlers = typeof handlers;

serveRequests(handlers, () => database.close());
