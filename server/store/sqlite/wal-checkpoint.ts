import type { SqliteDatabase } from '../../sqlite/sqlite.ts';

/** Maximum pages of a WAL that a checkpoint transfers in some milliseconds. */
const maxSmallWalPages = 500;

/**
 * Checkpoints a short WAL, because every read searches the WAL first. During many writes it grows beyond the limit. A
 * later checkpoint then writes pages only once that many commits changed.
 */
export function checkpointSmallWal(database: SqliteDatabase): void {
  if (database.open) checkpointWal(database, (pages) => pages <= maxSmallWalPages);
}

/**
 * Checkpoints the WAL if `isDue` accepts the number of pages that a checkpoint would transfer.
 *
 * @returns False if it is not due.
 */
export function checkpointWal(database: SqliteDatabase, isDue: (pages: number) => boolean): boolean {
  try {
    const [state] = database.pragma('wal_checkpoint(NOOP)') as LogState[];
    if (!state || !isDue(state.log - Math.max(state.checkpointed, 0))) return false;
    database.pragma('wal_checkpoint(PASSIVE)');
  } catch {
    // A failed checkpoint is harmless: the pages stay in the WAL.
  }
  return true;
}

/** Pages of the WAL, and how many of them were transferred. */
interface LogState {
  readonly log: number;
  readonly checkpointed: number;
}
