import { defineMessages } from '../../core/text/message.ts';
import { DataFolderError } from './data-folder-error.ts';
import type { SqliteDatabase } from './sqlite.ts';

const messages = defineMessages('connectionSettings', {
  unsafe:
    '{path} can’t be stored safely: {setting} is {found}, {value} is needed. Choose a folder on a local disk with --data.',
});

/** Bytes read through a memory map from the start of the file: the maximum of SQLite. */
const mappedBytes = 2 ** 31 - 64 * 1024;

/**
 * WAL pages before an automatic checkpoint. Between checkpoints, a page that many commits change is written to the
 * database once. At 4 KiB a page that is 128 MiB, which are replayed after a crash.
 */
export const walPages = 32_768;

/** KiB of page cache in addition to the memory map. New pages are not in the map until a checkpoint. */
const cacheKib = 64 * 1024;

/**
 * Allows other connections to read (`normal`) or not (`exclusive`). With `normal` the WAL index is a shared file,
 * otherwise it is in memory.
 */
export type LockingMode = 'normal' | 'exclusive';

/** Configures a connection for durable writing. */
export function configure(database: SqliteDatabase, locking: LockingMode): void {
  database.pragma(`locking_mode = ${locking}`);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  database.pragma('secure_delete = ON');
  database.pragma('trusted_schema = OFF');
  database.pragma(`mmap_size = ${mappedBytes}`);
  database.pragma(`cache_size = -${cacheKib}`);
  database.pragma(`wal_autocheckpoint = ${walPages}`);
}

/** Required settings. SQLite reports them reliably once the connection has written. */
const requiredSettings = {
  journal_mode: 'wal',
  synchronous: 2,
  foreign_keys: 1,
  secure_delete: 1,
  trusted_schema: 0,
} as const;

/** @throws DataFolderError if a setting differs. SQLite ignores unsupported settings silently. */
export function assertSettings(database: SqliteDatabase, locking: LockingMode): void {
  for (const [setting, value] of Object.entries({ locking_mode: locking, ...requiredSettings })) {
    const actual = database.pragma(setting, { simple: true });
    if (actual === value) continue;
    const message = messages.unsafe({
      path: database.name,
      setting,
      found: String(actual),
      value: String(value),
    });
    throw new DataFolderError('other-settings', message);
  }
}
