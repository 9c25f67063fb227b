import { closeSync, existsSync, openSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Comparison } from '../../core/app/backups.ts';
import { defineMessages } from '../../core/text/message.ts';
import { draftOf, makeBackupFolder } from './backup-folder.ts';
import { compareTexts } from './compare.ts';
import { DataFolderError } from './data-folder-error.ts';
import { verifyDatabase } from './integrity.ts';
import { verifyInWorker } from './integrity-in-worker.ts';
import { manifestOf, writeManifest } from './manifest.ts';
import { toStoreError } from './driver-errors.ts';
import { isFull, type SqliteDatabase } from './sqlite.ts';
import { syncFile, syncFolder } from './sync.ts';

const messages = defineMessages('backup', {
  noSpace: 'Not enough space for a backup in {folder}. Nothing was deleted. Free up space, then try again.',
  notWritten: 'Couldn’t write a backup to {path}. Nothing was deleted.',
});

/**
 * Writes the database into a new file with mode 0600 in a folder with mode 0700. Blocks other work, because the driver
 * is synchronous. The file has no unused pages.
 *
 * @returns Size of the file in bytes.
 * @throws DataFolderError on failure. No partial backup remains.
 */
export function backUp(database: SqliteDatabase, path: string): number {
  const draft = draftOf(path);
  try {
    createDraft(draft, path);
    database.prepare('VACUUM INTO ?').run(draft);
    verifyDatabase(draft, { closed: false });
    return publish(draft, path, compareTexts(draft));
  } catch (error) {
    throw discardDraft(draft, path, error);
  }
}

/**
 * Writes a backup page by page and answers other requests in between. Changes until the end are in the file too,
 * because the driver writes each changed page to both.
 *
 * @returns Size of the file in bytes.
 * @throws DataFolderError on failure. No partial backup remains.
 */
export async function backUpInWorker(database: SqliteDatabase, path: string): Promise<number> {
  const draft = draftOf(path);
  try {
    createDraft(draft, path);
    assertDiskSpace(database, draft);
    await copyInSteps(database, draft);
    return publish(draft, path, await verifyInWorker(draft));
  } catch (error) {
    throw discardDraft(draft, path, error);
  }
}

async function copyInSteps(database: SqliteDatabase, draft: string): Promise<void> {
  const file = await open(draft, 'r+');
  try {
    const paced = new PacedSync(() => file.sync());
    await database.backup(draft, { progress: () => paced.next() });
    await paced.finish();
  } finally {
    await file.close();
  }
}

/** Creates the file before SQLite writes it, so that it is private from the first byte. */
function createDraft(draft: string, path: string): void {
  if (existsSync(path)) throw new Error('Another backup already has this name.');
  makeBackupFolder(draft);
  closeSync(openSync(draft, 'wx', 0o600));
}

/** Publishes the draft. A damaged text is copied unchanged and named in the manifest. */
function publish(draft: string, path: string, comparison: Comparison | null): number {
  syncFile(draft);
  writeManifest(path, comparison);
  renameSync(draft, path);
  syncFolder(dirname(path));
  return statSync(path).size;
}

/** Throws ENOSPC if the copy would leave no space for other writes. A full disk rejects every write. */
function assertDiskSpace(database: SqliteDatabase, draft: string): void {
  const number = (pragma: string) => Number(database.pragma(pragma, { simple: true }));
  const bytes = number('page_count') * number('page_size');
  const { bavail, bsize } = statfsSync(dirname(draft));
  if (bavail * bsize >= 2 * bytes) return;
  throw Object.assign(new Error('Not enough space for a copy.'), { code: 'ENOSPC' });
}

function discardDraft(draft: string, path: string, cause: unknown): DataFolderError {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(draft + end, { force: true });
  if (!existsSync(path)) rmSync(manifestOf(path), { force: true });
  const message = isFull(cause) ? messages.noSpace({ folder: dirname(path) }) : messages.notWritten({ path });
  return new DataFolderError('unusable', message, { cause: toStoreError(cause) });
}

/**
 * Empties every table except the audit log in one transaction with `record`. The schema stays. Referring tables come
 * first.
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

/**
 * Syncs a large file chunk by chunk while it is written. One sync at the end would block all other syncs for its full
 * duration. No page is written during a sync.
 */
export class PacedSync {
  private readonly sync: () => Promise<void>;
  private pagesSinceSync = 0;
  private syncing: Promise<void> | undefined;
  private fault: unknown;

  /** @param sync - Resolves once the written pages are on the disk. */
  constructor(sync: () => Promise<void>) {
    this.sync = sync;
  }

  /**
   * Returns the number of pages that may be written next. 0 during a sync.
   *
   * @throws the error of `sync`.
   */
  next(): number {
    this.check();
    if (this.syncing) return 0;
    this.pagesSinceSync += slice;
    if (this.pagesSinceSync >= piece) this.begin();
    return slice;
  }

  /** Resolves once no sync is in progress. Rejects as `sync` does. */
  async finish(): Promise<void> {
    await this.syncing;
    this.check();
  }

  private begin(): void {
    this.pagesSinceSync = 0;
    this.syncing = this.sync()
      .catch((error: unknown) => {
        this.fault = error;
      })
      .finally(() => {
        this.syncing = undefined;
      });
  }

  private check(): void {
    // oxlint-disable-next-line typescript/only-throw-error -- The error of the disk is thrown unchanged.
    if (this.fault !== undefined) throw this.fault;
  }
}

/** Pages written per turn of the event loop, and pages per sync: 2 MiB, because other syncs wait. */
export const slice = 100;
export const piece = 512;
