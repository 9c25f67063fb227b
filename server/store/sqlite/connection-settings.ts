import { DataFolderError } from './data-folder-error.ts';
import type { SqliteDatabase } from './sqlite.ts';

/** Bytes that are read through a memory map, from the file's beginning: as many as SQLite maps at most. */
const mapped = 2 ** 31 - 64 * 1024;

/**
 * Pages that the WAL gathers before they go into the database: a page that many commits touch goes there once. At
 * 4 KiB a page that is 128 MiB, which a start after a crash reads again.
 */
export const walPages = 32_768;

/** KiB of pages at hand, beside the map: what was written is not in it until the log is carried over. */
const cached = 64 * 1024;

/**
 * Whether other connections may read beside the one that writes: the index of the log then stands in a file, which is
 * shared. With `exclusive` it is in memory.
 */
export type LockingMode = 'normal' | 'exclusive';

/** Makes a connection the one that may write, and write so that nothing acknowledged is lost. */
export function configure(database: SqliteDatabase, locking: LockingMode): void {
  database.pragma(`locking_mode = ${locking}`);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  database.pragma('secure_delete = ON');
  database.pragma('trusted_schema = OFF');
  database.pragma(`mmap_size = ${mapped}`);
  database.pragma(`cache_size = -${cached}`);
  database.pragma(`wal_autocheckpoint = ${walPages}`);
}

/** What must be read back of a connection that has written. */
const needed = {
  journal_mode: 'wal',
  synchronous: 2,
  foreign_keys: 1,
  secure_delete: 1,
  trusted_schema: 0,
} as const;

/** @throws DataFolderError where a setting is not what it must be: SQLite keeps silent about one that it does not take. */
export function assertSettings(database: SqliteDatabase, locking: LockingMode): void {
  for (const [name, value] of Object.entries({ locking_mode: locking, ...needed })) {
    const found = database.pragma(name, { simple: true });
    if (found === value) continue;
    throw new DataFolderError(
      'other-settings',
      `${database.name} cannot be kept as safely as it must be: ${name} is ${String(found)}, and ${value} is needed. Choose a folder on a local disk with --data.`,
    );
  }
}
