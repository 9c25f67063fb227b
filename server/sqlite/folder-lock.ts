/**
 * Locks a database for one process through a transaction in a second, empty database. The operating system releases the
 * lock when the process ends. The database itself stays free for reader threads.
 */
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fault, inspectBytes, mapFileErrors } from './integrity.ts';
import { connect, type SqliteDatabase } from './sqlite.ts';

/** Releases a lock. */
export type Release = () => void;

/** File in a data folder during a move. While it exists, no other process opens the records. */
export const moveFile = 'move.json';

/**
 * Acquires the exclusive lock of a database. Creates its folder if it is missing.
 *
 * @param mover - True if the caller moves records into the folder.
 * @throws DataFolderError if another process has a lock, if a move into the folder is incomplete, and as `inspectBytes`
 * does.
 */
export function acquireLock(path: string, mover = false): Release {
  if (!mover) assertNoMove(path);
  return mapFileErrors(path, () => {
    if (existsSync(path)) inspectBytes(path);
    makeFolder(dirname(path));
    closeSync(openSync(lockOf(path), 'a', 0o600));
    // Nothing is ever written to it. A journal file would remain after a kill.
    return acquire(connect(lockOf(path)), 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  });
}

/**
 * Acquires a shared lock, which prevents exclusive locks. A folder that was never locked needs none.
 *
 * @throws DataFolderError if another process has the exclusive lock or a move into the folder is incomplete.
 */
export function look(path: string): Release {
  assertNoMove(path);
  if (!existsSync(lockOf(path))) return () => undefined;
  return mapFileErrors(path, () =>
    acquire(connect(lockOf(path), { readonly: true }), 'BEGIN; PRAGMA user_version'),
  );
}

/** Creates a folder for a database, with mode 0700. */
export function makeFolder(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
}

function assertNoMove(path: string): void {
  if (existsSync(join(dirname(path), moveFile))) throw fault('unfinished', path);
}

function lockOf(path: string): string {
  return `${path}-lock`;
}

function acquire(lock: SqliteDatabase, sql: string): Release {
  try {
    lock.pragma('busy_timeout = 0');
    lock.exec(sql);
  } catch (error) {
    lock.close();
    throw error;
  }
  return () => lock.close();
}
