import { truncateSync } from 'node:fs';
import type { SqliteDatabase } from './sqlite.ts';
import { syncFile } from './sync.ts';

const headerBytes = 32;
const frameHeaderBytes = 24;

/**
 * Cuts off the log what a failed write left behind its last commit: it may be whole in there, and would be taken for
 * committed when the file is opened again, though the disk has lost it (SQLite file format, section 4). To be called
 * before the connection that failed is closed.
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
    // A disk that takes nothing at all takes this neither; the log was cut, or nothing was written to it.
  }
}
