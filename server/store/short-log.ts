import type { SqliteDatabase } from './sqlite.ts';

/** Pages of a log that is carried over in some milliseconds. */
const shortLog = 500;

/**
 * Carries the log over into the database where it is short: as long as it holds pages, a read looks for each of its own
 * in there first. Where much is written it grows past that and waits for a checkpoint, which spares pages that many
 * commits touch.
 */
export function carryShortLog(database: SqliteDatabase): void {
  if (!database.open) return;
  try {
    const [state] = database.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[];
    if (!state || state.log - Math.max(state.checkpointed, 0) > shortLog) return;
    database.pragma('wal_checkpoint(PASSIVE)');
  } catch {
    // What could not be carried over stays in the log, where it is safe.
  }
}
