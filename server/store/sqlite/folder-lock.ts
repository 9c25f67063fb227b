/**
 * Keeps a database for one process: an empty database beside it is held in a transaction for as long as that runs. The
 * system lets go of it when the process ends, however it ends. The database itself is then free for readers in threads.
 */
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fault, inspectBytes, telling } from './inspect.ts';
import { connect, type SqliteDatabase } from './sqlite.ts';

/** Lets go of what was held. */
export type Release = () => void;

/** The file in a data folder that says which records are being moved there: until it is gone, nobody else opens any of it. */
export const moveFile = 'move.json';

/**
 * Holds a database alone, and makes its folder where there is none.
 *
 * @param mover - Whether it is held to move records there.
 * @throws DataFolderError where another process holds it or looks at it, where a move there has not ended, and as
 * `inspectBytes` does.
 */
export function hold(path: string, mover = false): Release {
  if (!mover) refuseUnfinished(path);
  return telling(path, () => {
    if (existsSync(path)) inspectBytes(path);
    makeFolder(dirname(path));
    closeSync(openSync(lockOf(path), 'a', 0o600));
    // Nothing is ever written to it: a journal in a file would be one more that a kill leaves.
    return taken(connect(lockOf(path)), 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  });
}

/**
 * Keeps others from holding a database while this process looks at it; several may. One that nobody ever held has
 * nothing to be kept by.
 *
 * @throws DataFolderError where another process holds it, or a move there has not ended.
 */
export function look(path: string): Release {
  refuseUnfinished(path);
  if (!existsSync(lockOf(path))) return () => undefined;
  return telling(path, () => taken(connect(lockOf(path), { readonly: true }), 'BEGIN; PRAGMA user_version'));
}

/** A folder for a database, closed to others. */
export function makeFolder(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
}

function refuseUnfinished(path: string): void {
  if (existsSync(join(dirname(path), moveFile))) throw fault('unfinished', path);
}

function lockOf(path: string): string {
  return `${path}-lock`;
}

function taken(lock: SqliteDatabase, sql: string): Release {
  try {
    lock.pragma('busy_timeout = 0');
    lock.exec(sql);
  } catch (error) {
    lock.close();
    throw error;
  }
  return () => lock.close();
}
