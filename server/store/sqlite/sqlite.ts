/** The one file that imports the driver. */
import Database from 'better-sqlite3';
import { codeOf } from '../store-error.ts';
import { nativeModule } from './native-module.ts';

export type SqliteDatabase = Database.Database;

/** A prepared statement, which is given the values of its placeholders. */
export interface Statement<Row> {
  get(...values: unknown[]): Row | undefined;
  all(...values: unknown[]): Row[];
  iterate(...values: unknown[]): IterableIterator<Row>;
  run(...values: unknown[]): Database.RunResult;
}

/** A statement whose rows are objects by the names of their columns. */
export function prepare<Row>(database: SqliteDatabase, text: string): Statement<Row> {
  return database.prepare<unknown[], Row>(text);
}

/** A statement whose rows are arrays of their columns. */
export function prepareRaw<Row>(database: SqliteDatabase, text: string): Statement<Row> {
  return database.prepare<unknown[], Row>(text).raw();
}

/** A statement whose rows are their first column. */
export function preparePluck<Column>(database: SqliteDatabase, text: string): Statement<Column> {
  return database.prepare<unknown[], Column>(text).pluck();
}

/** Milliseconds that a statement may wait for a lock: the driver's own 5 s would stop the event loop as long. */
const busyTimeout = 250;

/** Opens a file; with `readonly` nothing is written to it, not even when it is closed. */
export function connect(path: string, { readonly = false } = {}): SqliteDatabase {
  const nativeBinding = checkDriver();
  return new Database(path, { timeout: busyTimeout, readonly, ...(nativeBinding && { nativeBinding }) });
}

let native: { readonly path: string | undefined } | undefined;

/**
 * Path of the native module, looked at once, as what is loaded stays; undefined where the driver finds its own.
 *
 * @throws Error where it is not the one of the build.
 */
export function checkDriver(): string | undefined {
  native ??= { path: nativeModule() };
  return native.path;
}

/**
 * A connection to look at a database. Where the disk is full, the index of its log finds no room in a file: it is then
 * kept in memory, which takes a connection that holds the database alone.
 */
export function connectToLook(path: string): SqliteDatabase {
  const database = connect(path, { readonly: true });
  try {
    database.pragma('user_version');
    return database;
  } catch (error) {
    database.close();
    if (!refusesIndex(error)) throw error;
  }
  const alone = connect(path);
  alone.pragma('locking_mode = EXCLUSIVE');
  return alone;
}

/** Whether an error says that the disk has no room for the file in which the index of the log is shared. */
export function refusesIndex(error: unknown): boolean {
  return /^SQLITE_(IOERR_SHM|CANTOPEN|FULL)/.test(sqliteCode(error));
}

/** Settings of a reader: none of it writes, and what it reads comes from the memory map, as the writer's does. */
const reading = [
  'query_only = ON',
  'trusted_schema = OFF',
  `mmap_size = ${2 ** 31 - 64 * 1024}`,
  'cache_size = -16384',
];

/** A connection for a thread that reads beside the one that writes. */
export function openReader(path: string): SqliteDatabase {
  const database = connect(path, { readonly: true });
  for (const setting of reading) database.pragma(setting);
  return database;
}

/** A connection that changes nothing and carries the log over, with the syncs of the one that writes. */
export function openCarrier(path: string): SqliteDatabase {
  const database = connect(path);
  for (const setting of ['query_only = ON', 'trusted_schema = OFF', 'synchronous = FULL']) {
    database.pragma(setting);
  }
  return database;
}

/** SQLite's name of a fault (`SQLITE_BUSY_SNAPSHOT`); empty where it is none of SQLite's. */
export function sqliteCode(error: unknown): string {
  return error instanceof Database.SqliteError ? error.code : '';
}

/** An error as it crosses from a thread: classes do not. */
export interface CarriedError {
  readonly message: string;
  readonly stack: string | undefined;
  /** Empty where it is none of SQLite's. */
  readonly code: string;
}

export function carryError(error: unknown): CarriedError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { message, stack, code: sqliteCode(error) };
}

export function carriedError({ message, stack, code }: CarriedError): Error {
  const error = code === '' ? new Error(message) : new Database.SqliteError(message, code);
  return Object.assign(error, { stack });
}

/** Whether an error says that the database is locked or busy, so that the same request may go through later. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(error));
}

/** Whether an error says that the disk is full: nothing was written, and what is there is read on. */
export function isFull(error: unknown): boolean {
  return /^(SQLITE_FULL|ENOSPC)/.test(codeOf(error));
}

/** Whether an error says that the disk failed: after a write, only a database opened anew knows what is stored. */
export function isDiskFault(error: unknown): boolean {
  return sqliteCode(error).startsWith('SQLITE_IOERR');
}

/** What `work` comes to with a database, which is closed behind it. */
export function closing<T>(database: SqliteDatabase, work: (database: SqliteDatabase) => T): T {
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Whether a database has a table: one of an older schema may not. */
export function hasTable(database: SqliteDatabase, name: string): boolean {
  return (
    database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined
  );
}

/** True if any table of a database holds a row. */
export function hasRows(database: SqliteDatabase): boolean {
  const tables = preparePluck<string>(
    database,
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
  ).all();
  return tables.some((name) => database.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get() !== undefined);
}

/** What `read` finds in the file at `path`, which nothing is written to; undefined where it cannot be read. */
export function readIn<T>(path: string, read: (database: SqliteDatabase) => T): T | undefined {
  try {
    return closing(connectToLook(path), read);
  } catch {
    return undefined;
  }
}
