import Database from 'better-sqlite3';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

export type SqliteDatabase = Database.Database;
export type Statement<Row> = Database.Statement<unknown[], Row>;

/** The SQL that takes a database from one `user_version` to the next; the index in the list is the version. */
export type Migrations = readonly string[];

/** Why a data folder cannot be used; the sentence names the file and what can be done. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/** Milliseconds that a statement may wait for a lock: the driver's own 5 s would stop the event loop as long. */
const busyTimeout = 250;

/** KiB of pages kept: the inner nodes of a million records' indexes, which the default of 2,000 does not hold. */
const cacheSize = 64 * 1024;

/**
 * Pages that the WAL gathers before they go into the database: a page that many commits touch goes there once. At
 * 4 KiB a page that is 32 MiB, read again after a crash in less than a second.
 */
const walPages = 8192;

/**
 * Opens a database file as the one process that may: made with mode 0600 in a folder 0700, WAL with synchronous FULL,
 * exclusive lock, migrated to the newest version.
 *
 * @throws DataFolderError where another process holds the file, or where the file is newer than this program or
 *   damaged.
 */
export function openDatabase(path: string, migrations: Migrations): SqliteDatabase {
  makePrivate(path);
  let database: SqliteDatabase | undefined;
  try {
    database = new Database(path, { timeout: busyTimeout });
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    database.pragma('secure_delete = ON');
    database.pragma('trusted_schema = OFF');
    database.pragma(`cache_size = -${cacheSize}`);
    database.pragma(`wal_autocheckpoint = ${walPages}`);
    migrate(database, migrations, path);
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof DataFolderError
      ? error
      : new DataFolderError(sentenceOf(error, path), { cause: error });
  }
}

function makePrivate(path: string): void {
  const folder = dirname(path);
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
}

function migrate(database: SqliteDatabase, migrations: Migrations, path: string): void {
  const found = Number(database.pragma('user_version', { simple: true }));
  if (found > migrations.length) {
    throw new DataFolderError(
      `${path} was written by a newer Chartkeeper. Install that version, or use another folder.`,
    );
  }
  for (const [version, sql] of migrations.entries()) {
    if (version < found) continue;
    database
      .transaction(() => {
        database.exec(sql);
        database.pragma(`user_version = ${version + 1}`);
      })
      .immediate();
  }
  // An exclusive lock is taken with the first write, not with the pragma: take it now, so that a second start fails.
  database.exec('BEGIN EXCLUSIVE; COMMIT');
}

function sentenceOf(error: unknown, path: string): string {
  const code = error instanceof Database.SqliteError ? error.code : '';
  if (code.startsWith('SQLITE_BUSY')) {
    return `${path} is in use by another Chartkeeper. Close that one, or choose another folder with --data.`;
  }
  if (code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT')) {
    return `${path} is not a usable database. It was left as it is; choose another folder with --data.`;
  }
  return `${path} cannot be opened (${code || 'unknown fault'}). Check the folder's owner and free space.`;
}

/** Whether an error says that the database is locked or busy, so that the same request may go through later. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code);
}
