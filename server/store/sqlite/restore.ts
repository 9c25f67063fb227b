import { copyFileSync, chmodSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Comparison, DamagedVersion } from '../../../core/app/backups.ts';
import { makeBackupFolder, removeDatabase, replacedPath, type NamedBackup } from './backup-folder.ts';
import { nameOfVersion } from '../checksum.ts';
import { compareTexts, unnamed } from './compare.ts';
import { DataFolderError, type FolderFault } from './data-folder-error.ts';
import { look } from './folder-lock.ts';
import { fault, inspect } from './inspect.ts';
import { inspectBeside } from './inspect-beside.ts';
import { leaveWalMode } from './inspect-copy.ts';
import { readManifest, writeManifest } from './manifest.ts';
import type { Migrations } from './migrate.ts';
import { setLogAside } from './open-database.ts';
import { connectToLook, isBusy } from './sqlite.ts';
import { syncFile, syncFolder } from './sync.ts';

/** What was put in place, and where what was there before is kept; undefined where there was none. */
export interface Restored {
  readonly damaged: readonly DamagedVersion[];
  readonly aside: string | undefined;
}

/**
 * Puts a backup in the place of a database, which is kept under another name. At each moment the place holds the one or
 * the other, whole. `prepare` is given the copy that will be put there.
 *
 * @throws DataFolderError where the backup is not good, or the database is in use; then nothing is changed.
 */
export function restore(
  path: string,
  backup: string,
  migrations: Migrations,
  prepare: (draft: string) => void = () => undefined,
): Restored {
  if (!existsSync(backup))
    throw new DataFolderError('unusable', `${backup} is not there. Nothing was restored.`);
  inspect(backup, { migrations, closed: false });
  const compared = compareTexts(backup);
  refuseUnnamed(backup, compared);
  refuseInUse(path);
  const draft = `${path}.new`;
  removeDatabase(draft);
  copyWithLog(backup, draft);
  prepare(draft);
  syncFile(draft);
  const asWas = existsSync(path) ? carriedOver(path) : null;
  const aside = setAside(path);
  renameSync(draft, path);
  syncFolder(dirname(path));
  if (aside !== undefined) tellCompared(aside, asWas);
  return { damaged: compared?.damaged ?? [], aside };
}

/** A log that was not carried over into the backup belongs to it. */
function copyWithLog(backup: string, draft: string): void {
  copyFileSync(backup, draft);
  chmodSync(draft, 0o600);
  if (existsSync(`${backup}-wal`)) copyFileSync(`${backup}-wal`, `${draft}-wal`);
  leaveWalMode(draft);
}

/** Keeps the file under a name of its own, with its log where that could not be carried over. */
function setAside(path: string): string | undefined {
  const aside = replacedPath(path);
  if (existsSync(path)) linkSync(path, aside);
  setLogAside(path, aside);
  return existsSync(aside) ? aside : undefined;
}

/** Carries a file's log over into it and compares its texts; null where the file is not good, which is left as it is. */
function carriedOver(path: string): Comparison | null {
  try {
    inspect(path, { closed: false });
    leaveWalMode(path);
    return compareTexts(path);
  } catch {
    return null;
  }
}

/** @throws DataFolderError where texts are damaged that the backup does not itself name. */
function refuseUnnamed(backup: string, compared: Comparison | null): void {
  const [first, ...others] = unnamed(compared?.damaged ?? [], readManifest(backup)?.damaged ?? []);
  if (!first) return;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  throw new DataFolderError(
    'rotten-backup',
    `The backup ${basename(backup)} is damaged: a text in it is not the one that was written (${nameOfVersion(first)}${more}), and it does not say so itself. Nothing was restored.`,
  );
}

/**
 * A checked copy of a backup beside the database that it will replace; made while other requests are answered.
 *
 * @throws DataFolderError where the backup is not good.
 */
export async function draftOfBackup(path: string, backup: string, migrations: Migrations): Promise<string> {
  const draft = `${path}.new`;
  removeDatabase(draft);
  try {
    await copyFile(backup, draft);
    chmodSync(draft, 0o600);
    if (existsSync(`${backup}-wal`)) await copyFile(`${backup}-wal`, `${draft}-wal`);
    refuseUnnamed(backup, await inspectBeside(draft, { migrations }));
    syncFile(draft);
    return draft;
  } catch (error) {
    removeDatabase(draft);
    const name = basename(backup);
    if (!(error instanceof DataFolderError)) {
      const text = `The backup ${name} could not be copied. Nothing was restored; check the free space.`;
      throw new DataFolderError('unusable', text, { cause: error });
    }
    const why = error.detail === undefined ? error.fault : `${error.fault}: ${error.detail}`;
    const text = `The backup ${name} is not good (${why}). Nothing was restored; choose another.`;
    throw error.fault === 'rotten-backup' ? error : new DataFolderError(error.fault, text, { cause: error });
  }
}

/** Compares what a restore replaced, and has it say what is damaged, so that it can be put back. */
export async function compareReplaced(before: string): Promise<void> {
  tellCompared(before, await inspectBeside(before).catch(() => null));
}

/** The restore is done: that this cannot be told, as on a full disk, does not undo it. */
function tellCompared(replaced: string, compared: Comparison | null): void {
  try {
    writeManifest(replaced, compared);
  } catch {
    // Then it was compared by nobody, as far as anyone knows.
  }
}

/** Faults that say that a backup itself is not good. */
const faultsOfBackups = new Set<FolderFault>([
  'empty',
  'foreign',
  'truncated',
  'damaged',
  'other-schema',
  'newer',
  'rotten-backup',
]);

export function isOfBackup(error: unknown): error is DataFolderError {
  return error instanceof DataFolderError && faultsOfBackups.has(error.fault);
}

/**
 * The newest good one of the backups that were written before the one of this name, else the newest good one of the others;
 * undefined where none is. Looked at while other requests are answered.
 */
export async function nextGood<One extends NamedBackup>(
  newestFirst: readonly One[],
  name: string,
  migrations: Migrations,
): Promise<One | undefined> {
  const place = newestFirst.findIndex((one) => one.name === name);
  const others = [...newestFirst.slice(place + 1), ...newestFirst.slice(0, Math.max(place, 0))];
  for (const one of others) {
    if (one.kind === 'replaced') continue;
    if (await isGood(one.path, migrations)) return one;
  }
  return undefined;
}

async function isGood(backup: string, migrations: Migrations): Promise<boolean> {
  try {
    refuseUnnamed(backup, await inspectBeside(backup, { migrations }));
    return true;
  } catch {
    return false;
  }
}

/** Puts a draft in the place of a closed database, which is kept at `before`; the place is never empty. */
export function swapIn(path: string, draft: string, before: string): void {
  if (existsSync(`${path}-wal`)) {
    throw new DataFolderError('unusable', `${path} could not be closed in order. Nothing was restored.`);
  }
  makeBackupFolder(before);
  linkSync(path, before);
  renameSync(draft, path);
  syncFolder(dirname(path));
  syncFolder(dirname(before));
}

/** Puts the former database back, where there was time to keep it; no backup of it is left. */
export function swapBack(path: string, before: string): void {
  removeDatabase(`${path}.new`);
  if (!existsSync(before)) return;
  if (statSync(before).ino === statSync(path).ino) rmSync(before);
  else {
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
    renameSync(before, path);
  }
}

function refuseInUse(path: string): void {
  if (!existsSync(path)) return;
  look(path)();
  try {
    connectToLook(path).close();
  } catch (error) {
    if (isBusy(error)) throw fault('in-use', path, error);
    // What else is wrong with the file is why it is replaced.
  }
}
