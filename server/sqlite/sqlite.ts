/** The only module that imports the driver. */
import Database from 'better-sqlite3';
import { codeOf } from '../store/store-error.ts';
import { nativeModule } from './native-module.ts';

export type SqliteDatabase = Database.Database;

/** Class of the errors of the driver. */
export const { SqliteError } = Database;

/** A prepared statement. Its methods accept the values of its placeholders. */
export interface Statement<Row> {
  get(...values: unknown[]): Row | undefined;
  all(...values: unknown[]): Row[];
  iterate(...values: unknown[]): IterableIterator<Row>;
  run(...values: unknown[]): Database.RunResult;
}

/** Prepares a statement whose rows are objects, keyed by column. */
export function prepare<Row>(database: SqliteDatabase, text: string): Statement<Row> {
  return database.prepare<unknown[], Row>(text);
}

/** Prepares a statement whose rows are arrays of columns. */
export function prepareRaw<Row>(database: SqliteDatabase, text: string): Statement<Row> {
  return database.prepare<unknown[], Row>(text).raw();
}

/** Prepares a statement whose rows are the first column. */
export function preparePluck<Column>(database: SqliteDatabase, text: string): Statement<Column> {
  return database.prepare<unknown[], Column>(text).pluck();
}

/** Timeout of a lock in milliseconds. The default of the driver, 5 s, would block the event loop. */
const busyTimeoutMs = 250;

/** Opens a file. With `readonly`, nothing is written to it, not even at the close. */
export function connect(path: string, { readonly = false } = {}): SqliteDatabase {
  const nativeBinding = checkDriver();
  return new Database(path, { timeout: busyTimeoutMs, readonly, ...(nativeBinding && { nativeBinding }) });
}

let cachedModule: { readonly path: string | undefined } | undefined;

/**
 * Returns the path of the verified native module. Verified once, because a loaded module stays. Returns undefined if
 * the driver finds its own.
 *
 * @throws Error if it differs from the module of the build.
 */
export function checkDriver(): string | undefined {
  cachedModule ??= { path: nativeModule() };
  return cachedModule.path;
}

/**
 * Opens a connection for inspection. A full disk has no space for the file of the WAL index. The index is then in
 * memory, which requires an exclusive connection.
 */
export function connectReadOnly(path: string): SqliteDatabase {
  const database = connect(path, { readonly: true });
  try {
    database.pragma('user_version');
    return database;
  } catch (error) {
    database.close();
    if (!refusesIndex(error)) throw error;
  }
  const exclusiveConnection = connect(path);
  exclusiveConnection.pragma('locking_mode = EXCLUSIVE');
  return exclusiveConnection;
}

/** Returns true if an error means that the disk has no space for the shared WAL index. */
export function refusesIndex(error: unknown): boolean {
  return /^SQLITE_(IOERR_SHM|CANTOPEN|FULL)/.test(sqliteCode(error));
}

/** Settings of a reader. It never writes, and reads through the memory map like the writer. */
const readerPragmas = [
  'query_only = ON',
  'trusted_schema = OFF',
  `mmap_size = ${2 ** 31 - 64 * 1024}`,
  'cache_size = -16384',
];

/** Opens a connection for a reader thread. */
export function openReader(path: string): SqliteDatabase {
  const database = connect(path, { readonly: true });
  for (const setting of readerPragmas) database.pragma(setting);
  return database;
}

/** Opens a connection that only checkpoints the WAL, with the same syncs as the writer. */
export function openCheckpointConnection(path: string): SqliteDatabase {
  const database = connect(path);
  for (const setting of ['query_only = ON', 'trusted_schema = OFF', 'synchronous = FULL']) {
    database.pragma(setting);
  }
  return database;
}

/** Returns the code of a SQLite error, such as `SQLITE_BUSY_SNAPSHOT`. Empty for other errors. */
export function sqliteCode(error: unknown): string {
  return error instanceof SqliteError ? error.code : '';
}

/** Returns true if the database is locked or busy. A later retry may succeed. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(error));
}

/** Returns true if the disk is full. Nothing was written, and reads still work. */
export function isFull(error: unknown): boolean {
  return /^(SQLITE_FULL|ENOSPC)/.test(codeOf(error));
}

/** Returns true if the disk failed. After a failed write, only a reopened database shows the stored rows. */
export function isDiskError(error: unknown): boolean {
  return sqliteCode(error).startsWith('SQLITE_IOERR');
}

/** Runs work with a database and closes the database. */
export function closing<T>(database: SqliteDatabase, work: (database: SqliteDatabase) => T): T {
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Returns true if a database has a table. An older schema may not. */
export function hasTable(database: SqliteDatabase, name: string): boolean {
  return (
    database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined
  );
}

/** Returns true if any table of a database has a row. */
export function hasRows(database: SqliteDatabase): boolean {
  const tables = preparePluck<string>(
    database,
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
  ).all();
  return tables.some((name) => database.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get() !== undefined);
}

/** Runs `read` on a file without any write. Returns undefined if the file can't be read. */
export function readDatabaseFile<T>(
  path: string,
  readDatabase: (database: SqliteDatabase) => T,
): T | undefined {
  try {
    return closing(connectReadOnly(path), readDatabase);
  } catch {
    return undefined;
  }
}
