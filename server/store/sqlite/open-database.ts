import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { backUp } from './backup.ts';
import { backupPath, removeDrafts, replacedPath } from './backup-folder.ts';
import { assertSettings, configure, type LockingMode } from './connection-settings.ts';
import { dropFailedFrames } from './failed-frames.ts';
import { assertClosedToOthers, closeToOthers } from './file-modes.ts';
import { look, makeFolder } from './folder-lock.ts';
import { fault, inspect, telling } from './inspect.ts';
import { applyMigrations, type Migrations } from './migrate.ts';
import { isMissing } from './missing.ts';
import { closing, connect, isDiskFault, isFull, refusesIndex, type SqliteDatabase } from './sqlite.ts';
import { syncFolder } from './sync.ts';

export type { Migrations } from './migrate.ts';

/**
 * Opens a database file as the one process that may: made with mode 0600 in a folder 0700, looked at before it is
 * touched, WAL with synchronous FULL, exclusive lock, migrated to the newest version. What SQLite and the system made of
 * all that is read back. To be closed with {@link closeDatabase}.
 *
 * @throws DataFolderError as `inspect` does, where another process holds the file, and where a setting was not taken.
 */
export function openDatabase(path: string, migrations: Migrations): SqliteDatabase {
  look(path)();
  return open(path, migrations, 'exclusive');
}

/**
 * The same for a file that this process holds, so that readers may be opened beside. A full disk has no room for the index
 * of the log that they share: the file is then opened with an exclusive lock.
 */
export function openHeld(path: string, migrations: Migrations): SqliteDatabase {
  return open(path, migrations, 'normal');
}

/** The same for one that this process had open a moment ago, or that it inspected. */
export function reopenHeld(path: string, migrations: Migrations): SqliteDatabase {
  return telling(path, () => openInspected(path, migrations, 'normal'));
}

/** Whether a database has an exclusive lock, so that no reader can be opened beside. */
export function isAlone(database: SqliteDatabase): boolean {
  return database.pragma('locking_mode', { simple: true }) === 'exclusive';
}

function open(path: string, migrations: Migrations, locking: LockingMode): SqliteDatabase {
  return telling(path, () => {
    if (existsSync(path)) inspect(path, { migrations, closed: !existsSync(markOf(path)) });
    else if (isMissing(path)) throw fault('missing', path);
    else make(path, migrations);
    return openInspected(path, migrations, locking);
  });
}

/** Closes a database in order: the next start need not suspect it. */
export function closeDatabase(database: SqliteDatabase): void {
  database.close();
  const mark = markOf(database.name);
  if (!existsSync(mark)) return;
  rmSync(mark);
  syncFolder(dirname(mark));
}

function openInspected(path: string, migrations: Migrations, wanted: LockingMode): SqliteDatabase {
  closeToOthers(path);
  const { database, locking } = connectToWrite(path, wanted);
  try {
    takesWrite(database);
    setMark(path);
    removeDrafts(path);
    migrate(database, migrations);
    assertSettings(database, locking);
    assertClosedToOthers(path);
    return database;
  } catch (error) {
    // Nobody else writes here, or its lock would have been told before its disk.
    if (isDiskFault(error)) dropFailedFrames(database);
    database.close();
    throw error;
  }
}

interface Writing {
  readonly database: SqliteDatabase;
  readonly locking: LockingMode;
}

/** Where the disk has no room for the shared index of the log, that is kept in memory. */
function connectToWrite(path: string, locking: LockingMode): Writing {
  const database = connect(path);
  try {
    configure(database, locking);
    return { database, locking };
  } catch (error) {
    database.close();
    if (locking === 'exclusive' || !refusesIndex(error)) throw error;
    return connectToWrite(path, 'exclusive');
  }
}

/**
 * Takes a database to the newest version. What was there before is backed up first.
 *
 * @throws DataFolderError where no backup can be written; then nothing is changed.
 */
function migrate(database: SqliteDatabase, migrations: Migrations): void {
  const found = Number(database.pragma('user_version', { simple: true }));
  if (found > 0 && found < migrations.length) backUp(database, backupPath(database.name, 'migration'));
  applyMigrations(database, migrations);
}

/**
 * An exclusive lock is taken with the first access, not with the pragma: take it now, so that a second start fails. The
 * write changes nothing, and tells whether the disk takes one; a full one can be read all the same.
 */
export function takesWrite(database: SqliteDatabase): boolean {
  const version = Number(database.pragma('user_version', { simple: true }));
  try {
    database.exec(`BEGIN EXCLUSIVE; PRAGMA user_version = ${version}; COMMIT`);
    return true;
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    if (!isFull(error)) throw error;
    return false;
  }
}

/** A file that stands beside a database while it is open: what is left of it tells of a run that did not end in order. */
function markOf(path: string): string {
  return `${path}-open`;
}

/** On the disk before anything is written: a power cut must not take it away and leave what was half written. */
function setMark(path: string): void {
  closeSync(openSync(markOf(path), 'a', 0o600));
  syncFolder(dirname(path));
}

/**
 * Makes an empty database where one is missing; one that is there stays, and the log of one that is not is kept. Answers
 * whether it made one.
 */
export function makeEmpty(path: string, migrations: Migrations): boolean {
  if (existsSync(path)) return false;
  setLogAside(path, replacedPath(path));
  make(path, migrations);
  return true;
}

/** Keeps a database's log under another name, where anything stands in it. */
export function setLogAside(path: string, aside: string): void {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (log && log.size > 0) renameSync(`${path}-wal`, `${aside}-wal`);
  for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
}

/** Makes the file beside its place, so that no crash leaves half of one there. */
function make(path: string, migrations: Migrations): void {
  const folder = dirname(path);
  makeFolder(folder);
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  closeSync(openSync(draft, 'wx', 0o600));
  closing(connect(draft), (database) => {
    configure(database, 'exclusive');
    migrate(database, migrations);
  });
  renameSync(draft, path);
  syncFolder(folder);
}
