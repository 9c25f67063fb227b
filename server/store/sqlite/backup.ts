import { closeSync, existsSync, openSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Comparison } from '../../../core/app/backups.ts';
import { draftOf, makeBackupFolder } from './backup-folder.ts';
import { compareTexts } from './compare.ts';
import { DataFolderError } from './data-folder-error.ts';
import { inspect } from './inspect.ts';
import { inspectBeside } from './inspect-beside.ts';
import { manifestOf, writeManifest } from './manifest.ts';
import { PacedSync } from './paced-sync.ts';
import { ownError } from './own-errors.ts';
import { isFull, type SqliteDatabase } from './sqlite.ts';
import { syncFile, syncFolder } from './sync.ts';

/**
 * Writes the database as it is into a new file, mode 0600 in a folder 0700, and returns the file's size in bytes. The
 * driver is synchronous: nothing else is done meanwhile, and the file holds no page that is not in use.
 *
 * @throws DataFolderError where that cannot be done; no half of a backup is left.
 */
export function backUp(database: SqliteDatabase, path: string): number {
  const draft = draftOf(path);
  try {
    begin(draft, path);
    database.prepare('VACUUM INTO ?').run(draft);
    inspect(draft, { closed: false });
    return finish(draft, path, compareTexts(draft));
  } catch (error) {
    throw failure(draft, path, error);
  }
}

/**
 * The same page by page, while other requests are answered between the slices: what they write until the end is in the
 * file too, as the driver writes each changed page to both.
 *
 * @throws DataFolderError where that cannot be done; no half of a backup is left.
 */
export async function backUpBeside(database: SqliteDatabase, path: string): Promise<number> {
  const draft = draftOf(path);
  try {
    begin(draft, path);
    leaveRoom(database, draft);
    await copyBeside(database, draft);
    return finish(draft, path, await inspectBeside(draft));
  } catch (error) {
    throw failure(draft, path, error);
  }
}

async function copyBeside(database: SqliteDatabase, draft: string): Promise<void> {
  const file = await open(draft, 'r+');
  try {
    const paced = new PacedSync(() => file.sync());
    await database.backup(draft, { progress: () => paced.next() });
    await paced.ended();
  } finally {
    await file.close();
  }
}

/** Made before SQLite writes it, so that it is private from its first byte. */
function begin(draft: string, path: string): void {
  if (existsSync(path)) throw new Error('Another backup has this name.');
  makeBackupFolder(draft);
  closeSync(openSync(draft, 'wx', 0o600));
}

/** A damaged text is copied as it is: the backup names it beside itself. */
function finish(draft: string, path: string, compared: Comparison | null): number {
  syncFile(draft);
  writeManifest(path, compared);
  renameSync(draft, path);
  syncFolder(dirname(path));
  return statSync(path).size;
}

/** A copy leaves room for what is written meanwhile: on a full disk every write is refused. */
function leaveRoom(database: SqliteDatabase, draft: string): void {
  const number = (pragma: string) => Number(database.pragma(pragma, { simple: true }));
  const bytes = number('page_count') * number('page_size');
  const { bavail, bsize } = statfsSync(dirname(draft));
  if (bavail * bsize >= 2 * bytes) return;
  throw Object.assign(new Error('Too little room for a copy.'), { code: 'ENOSPC' });
}

function failure(draft: string, path: string, cause: unknown): DataFolderError {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(draft + end, { force: true });
  if (!existsSync(path)) rmSync(manifestOf(path), { force: true });
  const text = isFull(cause)
    ? `There is too little room for a backup in ${dirname(path)}; nothing was removed. Make room, and try again.`
    : `No backup could be written to ${path}; nothing was removed.`;
  return new DataFolderError('unusable', text, { cause: ownError(cause) });
}

/**
 * Empties every table but the audit trail's in one transaction with `record`, those that refer to others first; the
 * schema stays.
 */
export function emptyTables(database: SqliteDatabase, record: () => void): void {
  const tables = database
    .prepare<unknown[], { name: string }>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'audit' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid DESC`,
    )
    .all();
  database
    .transaction(() => {
      for (const { name } of tables) database.exec(`DELETE FROM "${name}"`);
      record();
    })
    .immediate();
}
