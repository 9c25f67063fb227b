import { copyFileSync, chmodSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Comparison, DamagedVersion } from '../../core/app/backups.ts';
import { defineMessages } from '../../core/text/message.ts';
import { makeBackupFolder, removeDatabase, replacedPath, type NamedBackup } from './backup-folder.ts';
import { nameOfVersion } from '../store/checksum.ts';
import { compareTexts, unnamed } from './compare.ts';
import { DataFolderError, type FolderErrorCode } from './data-folder-error.ts';
import { look } from './folder-lock.ts';
import { fault, verifyDatabase } from './integrity.ts';
import { verifyInWorker } from './integrity-in-worker.ts';
import { leaveWalMode } from './inspect-copy.ts';
import { readManifest, writeManifest } from './manifest.ts';
import type { Migrations } from './migrate.ts';
import { moveWalAway } from './open-database.ts';
import { connectReadOnly, isBusy } from './sqlite.ts';
import { syncFile, syncFolder } from './sync.ts';

const messages = defineMessages('restore', {
  missing: '{backup} doesn’t exist. Nothing was restored.',
  damagedText:
    'The backup {backup} contains a damaged text ({version}) and doesn’t list it. Nothing was restored.',
  damagedTexts: {
    other:
      'The backup {backup} contains damaged texts ({version} and {n} more) and doesn’t list them. Nothing was restored.',
  },
  notCopied: 'Couldn’t copy the backup {backup}. Nothing was restored. Check the free disk space.',
  unusable: 'The backup {backup} is not usable ({reason}). Nothing was restored. Choose another one.',
  notClosed: '{path} couldn’t be closed properly. Nothing was restored.',
});

/** Result of a restore. `aside` is the path of the replaced database, or undefined if there was none. */
export interface RestoreResult {
  readonly damagedVersions: readonly DamagedVersion[];
  readonly replacedFile: string | undefined;
}

/**
 * Replaces a database with a backup and keeps the replaced one under another name. At each moment, the path has either
 * the old or the new database.
 *
 * @param prepare - Called with the copy before it is moved into place.
 * @throws DataFolderError if the backup is damaged or the database is in use. Then nothing changes.
 */
export function restore(
  path: string,
  backup: string,
  migrations: Migrations,
  prepare: (draft: string) => void = () => undefined,
): RestoreResult {
  if (!existsSync(backup)) throw new DataFolderError('unusable', messages.missing({ backup }));
  verifyDatabase(backup, { migrations, closed: false });
  const comparison = compareTexts(backup);
  assertDamageListed(backup, comparison);
  assertNotInUse(path);
  const draft = `${path}.new`;
  removeDatabase(draft);
  copyWithLog(backup, draft);
  prepare(draft);
  syncFile(draft);
  const replacedComparison = existsSync(path) ? checkpointAndCompare(path) : null;
  const replacedFile = setAside(path);
  renameSync(draft, path);
  syncFolder(dirname(path));
  if (replacedFile !== undefined) tryWriteManifest(replacedFile, replacedComparison);
  return { damagedVersions: comparison?.damaged ?? [], replacedFile };
}

/** Copies a backup with its WAL, if there was no checkpoint. */
function copyWithLog(backup: string, draft: string): void {
  copyFileSync(backup, draft);
  chmodSync(draft, 0o600);
  if (existsSync(`${backup}-wal`)) copyFileSync(`${backup}-wal`, `${draft}-wal`);
  leaveWalMode(draft);
}

/** Keeps the replaced file under another name, and its WAL if a checkpoint was not possible. */
function setAside(path: string): string | undefined {
  const replacedFile = replacedPath(path);
  if (existsSync(path)) linkSync(path, replacedFile);
  moveWalAway(path, replacedFile);
  return existsSync(replacedFile) ? replacedFile : undefined;
}

/** Checkpoints the WAL of a file and compares its texts. Returns null for a damaged file, which stays unchanged. */
function checkpointAndCompare(path: string): Comparison | null {
  try {
    verifyDatabase(path, { closed: false });
    leaveWalMode(path);
    return compareTexts(path);
  } catch {
    return null;
  }
}

/** @throws DataFolderError if texts are damaged that the manifest does not list. */
function assertDamageListed(backup: string, comparison: Comparison | null): void {
  const [firstVersion, ...remainingVersions] = unnamed(
    comparison?.damaged ?? [],
    readManifest(backup)?.damaged ?? [],
  );
  if (!firstVersion) return;
  const [name, version] = [basename(backup), nameOfVersion(firstVersion)];
  const message =
    remainingVersions.length === 0
      ? messages.damagedText({ backup: name, version })
      : messages.damagedTexts({ n: remainingVersions.length, backup: name, version });
  throw new DataFolderError('rotten-backup', message);
}

/**
 * Creates a verified copy of a backup next to the database that it will replace. Requests are answered meanwhile.
 *
 * @throws DataFolderError if the backup is damaged.
 */
export async function draftOfBackup(path: string, backup: string, migrations: Migrations): Promise<string> {
  const draft = `${path}.new`;
  removeDatabase(draft);
  try {
    await copyFile(backup, draft);
    chmodSync(draft, 0o600);
    if (existsSync(`${backup}-wal`)) await copyFile(`${backup}-wal`, `${draft}-wal`);
    assertDamageListed(backup, await verifyInWorker(draft, { migrations }));
    syncFile(draft);
    return draft;
  } catch (error) {
    removeDatabase(draft);
    const name = basename(backup);
    if (!(error instanceof DataFolderError)) {
      throw new DataFolderError('unusable', messages.notCopied({ backup: name }), { cause: error });
    }
    if (error.errorCode === 'rotten-backup') throw error;
    const reason = error.detail === undefined ? error.errorCode : `${error.errorCode}: ${error.detail}`;
    throw new DataFolderError(error.errorCode, messages.unusable({ backup: name, reason }), { cause: error });
  }
}

/** Compares the texts of a replaced database and writes its manifest, so that it can be restored. */
export async function compareReplaced(before: string): Promise<void> {
  tryWriteManifest(before, await verifyInWorker(before).catch(() => null));
}

/** Writes the manifest. A failure, as on a full disk, does not undo the restore. */
function tryWriteManifest(replacedFile: string, comparison: Comparison | null): void {
  try {
    writeManifest(replacedFile, comparison);
  } catch {
    // Without a manifest, the file counts as not compared.
  }
}

/** Errors of the backup itself. */
const faultsOfBackups = new Set<FolderErrorCode>([
  'empty',
  'foreign',
  'truncated',
  'damaged',
  'other-schema',
  'newer',
  'rotten-backup',
]);

export function isOfBackup(error: unknown): error is DataFolderError {
  return error instanceof DataFolderError && faultsOfBackups.has(error.errorCode);
}

/**
 * Finds the latest intact backup among those written before the named one, otherwise among the remaining ones. Returns
 * undefined if none is intact. Requests are answered meanwhile.
 */
export async function nextGood<Backup extends NamedBackup>(
  newestFirst: readonly Backup[],
  name: string,
  migrations: Migrations,
): Promise<Backup | undefined> {
  const index = newestFirst.findIndex((backup) => backup.name === name);
  const candidates = [...newestFirst.slice(index + 1), ...newestFirst.slice(0, Math.max(index, 0))];
  for (const backup of candidates) {
    if (backup.kind === 'replaced') continue;
    if (await isGood(backup.path, migrations)) return backup;
  }
  return undefined;
}

async function isGood(backup: string, migrations: Migrations): Promise<boolean> {
  try {
    assertDamageListed(backup, await verifyInWorker(backup, { migrations }));
    return true;
  } catch {
    return false;
  }
}

/** Moves a draft to the path of a closed database, which is kept at `before`. The path is never empty. */
export function swapIn(path: string, draft: string, before: string): void {
  if (existsSync(`${path}-wal`)) {
    throw new DataFolderError('unusable', messages.notClosed({ path }));
  }
  makeBackupFolder(before);
  linkSync(path, before);
  renameSync(draft, path);
  syncFolder(dirname(path));
  syncFolder(dirname(before));
}

/** Restores the previous database if it was kept, and removes its backup. */
export function swapBack(path: string, before: string): void {
  removeDatabase(`${path}.new`);
  if (!existsSync(before)) return;
  if (statSync(before).ino === statSync(path).ino) rmSync(before);
  else {
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
    renameSync(before, path);
  }
}

function assertNotInUse(path: string): void {
  if (!existsSync(path)) return;
  look(path)();
  try {
    connectReadOnly(path).close();
  } catch (error) {
    if (isBusy(error)) throw fault('in-use', path, error);
    // Other problems of the file are the reason for the restore.
  }
}
