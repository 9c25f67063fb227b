import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DataFolderError } from './data-folder-error.ts';
import { fault, faultOf, inspect } from './inspect.ts';
import { connect, type SqliteDatabase } from './sqlite.ts';
import { syncFolder } from './sync.ts';

/** The SQL that takes a database from one `user_version` to the next; the index in the list is the version. */
export type Migrations = readonly string[];

/** Bytes that are read through a memory map, from the file's beginning: as many as SQLite maps at most. */
const mapped = 2 ** 31 - 64 * 1024;

/** Bytes of a file behind whose end SQLite's lock page lies; balancing a tree borrows that page's number. */
const lockPage = 2 ** 30;

/**
 * KiB of pages kept, for what is written and what lies behind the map. Small where the lock page lies behind the file's
 * end: each commit after a tree was balanced then walks all that is kept.
 */
const cacheSizes = { below: 16 * 1024, above: 256 * 1024 };

/**
 * Pages that the WAL gathers before they go into the database: a page that many commits touch goes there once. At
 * 4 KiB a page that is 32 MiB, read again after a crash in less than a second.
 */
const walPages = 8192;

/**
 * Opens a database file as the one process that may: made with mode 0600 in a folder 0700, looked at before it is
 * touched, WAL with synchronous FULL, exclusive lock, migrated to the newest version. To be closed with
 * {@link closeDatabase}.
 *
 * @throws DataFolderError as `inspect` does, and where another process holds the file.
 */
export function openDatabase(path: string, migrations: Migrations): SqliteDatabase {
  let database: SqliteDatabase | undefined;
  try {
    if (existsSync(path)) inspect(path, { newest: migrations.length, closed: !existsSync(markOf(path)) });
    else make(path, migrations);
    chmodSync(path, 0o600);
    database = connect(path);
    configure(database);
    database.pragma(`cache_size = -${statSync(path).size < lockPage ? cacheSizes.below : cacheSizes.above}`);
    migrate(database, migrations);
    // An exclusive lock is taken with the first write, not with the pragma: take it now, so that a second start fails.
    database.exec('BEGIN EXCLUSIVE; COMMIT');
    closeSync(openSync(markOf(path), 'a', 0o600));
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof DataFolderError ? error : fault(faultOf(error), path, error);
  }
}

/** Closes a database in order: the next start need not suspect it. */
export function closeDatabase(database: SqliteDatabase): void {
  database.close();
  rmSync(markOf(database.name), { force: true });
}

/** A file that stands beside a database while it is open: what is left of it tells of a run that did not end in order. */
function markOf(path: string): string {
  return `${path}-open`;
}

/** Makes the file beside its place, so that no crash leaves half of one there. */
function make(path: string, migrations: Migrations): void {
  const folder = dirname(path);
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  closeSync(openSync(draft, 'wx', 0o600));
  const database = connect(draft);
  try {
    configure(database);
    migrate(database, migrations);
  } finally {
    database.close();
  }
  renameSync(draft, path);
  syncFolder(folder);
}

function configure(database: SqliteDatabase): void {
  database.pragma('locking_mode = EXCLUSIVE');
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  database.pragma('secure_delete = ON');
  database.pragma('trusted_schema = OFF');
  database.pragma(`mmap_size = ${mapped}`);
  database.pragma(`wal_autocheckpoint = ${walPages}`);
}

function migrate(database: SqliteDatabase, migrations: Migrations): void {
  const found = Number(database.pragma('user_version', { simple: true }));
  for (const [version, sql] of migrations.entries()) {
    if (version < found) continue;
    database
      .transaction(() => {
        database.exec(sql);
        database.pragma(`user_version = ${version + 1}`);
      })
      .immediate();
  }
}
