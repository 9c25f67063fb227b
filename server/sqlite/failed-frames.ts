import { truncateSync } from 'node:fs';
import type { SqliteDatabase } from './sqlite.ts';
import { syncFile } from './sync.ts';

const headerBytes = 32;
const frameHeaderBytes = 24;

/**
 * Truncates the WAL after its last commit. The frames of a failed write may be complete there, and the next open would
 * treat them as committed, although the disk has lost them (SQLite file format, section 4). Call this before the failed
 * connection is closed.
 */
export function dropFailedFrames(database: SqliteDatabase): void {
  try {
    const [state] = database.pragma('wal_checkpoint(NOOP)') as { log: number }[];
    const pageBytes = Number(database.pragma('page_size', { simple: true }));
    const frames = state?.log ?? -1;
    if (frames < 0) return;
    const log = `${database.name}-wal`;
    truncateSync(log, frames === 0 ? 0 : headerBytes + frames * (frameHeaderBytes + pageBytes));
    syncFile(log);
  } catch {
    // A disk that accepts nothing rejects this too. Then the WAL was truncated or nothing was written to it.
  }
}
