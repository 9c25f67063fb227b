import type { SqliteDatabase } from './sqlite.ts';

/** Pages of a log that is carried over in some milliseconds. */
const shortLog = 500;

/**
 * Carries the log over into the database where it is short: as long as it holds pages, a read looks for each of its own
 * in there first. Where much is written it grows past that and waits for a checkpoint, which spares pages that many
 * commits touch.
 */
export function carryShortLog(database: SqliteDatabase): void {
  if (database.open) carryLog(database, (pages) => pages <= shortLog);
}

/**
 * Carries the log over where the number of its pages that still wait for that is one for which it is `wanted`; false
 * where it is not.
 */
export function carryLog(database: SqliteDatabase, wanted: (pages: number) => boolean): boolean {
  try {
    const [state] = database.pragma('wal_checkpoint(NOOP)') as LogState[];
    if (!state || !wanted(state.log - Math.max(state.checkpointed, 0))) return false;
    database.pragma('wal_checkpoint(PASSIVE)');
  } catch {
    // As SQLite's own checkpoints: what could not be carried over stays in the log, where it is safe.
  }
  return true;
}

/** Pages of the log, and how many of them were carried over. */
interface LogState {
  readonly log: number;
  readonly checkpointed: number;
}
