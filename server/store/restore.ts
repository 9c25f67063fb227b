import { copyFileSync, chmodSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { makeBackupFolder } from './backup-folder.ts';
import { DataFolderError } from './data-folder-error.ts';
import { fault, inspect } from './inspect.ts';
import { inspectBeside } from './inspect-beside.ts';
import type { Migrations } from './migrate.ts';
import { connectToLook, isBusy } from './sqlite.ts';
import { syncFile, syncFolder } from './sync.ts';

/**
 * Puts a backup in the place of a database, which is kept under another name: that name is the answer, or undefined
 * where there was none. At each moment the place holds the one or the other, whole. `prepare` is given the copy that
 * will be put there.
 *
 * @throws DataFolderError where the backup is not good, or the database is in use; then nothing is changed.
 */
export function restore(
  path: string,
  backup: string,
  migrations: Migrations,
  prepare: (draft: string) => void = () => undefined,
): string | undefined {
  if (!existsSync(backup))
    throw new DataFolderError('unusable', `${backup} is not there. Nothing was restored.`);
  inspect(backup, { migrations, closed: false });
  refuseInUse(path);
  const draft = `${path}.new`;
  removeDraft(draft);
  copyFileSync(backup, draft);
  chmodSync(draft, 0o600);
  prepare(draft);
  syncFile(draft);
  const aside = existsSync(path) ? setAside(path) : undefined;
  renameSync(draft, path);
  syncFolder(dirname(path));
  return aside;
}

/** Keeps the file under a name of its own, and its log with it: a log belongs to no other file. */
function setAside(path: string): string {
  const aside = `${path}.replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  linkSync(path, aside);
  if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${aside}-wal`);
  rmSync(`${path}-shm`, { force: true });
  return aside;
}

/**
 * A checked copy of a backup beside the database that it will replace; made while other requests are answered.
 *
 * @throws DataFolderError where the backup is not good.
 */
export async function draftOfBackup(path: string, backup: string, migrations: Migrations): Promise<string> {
  const draft = `${path}.new`;
  removeDraft(draft);
  try {
    await copyFile(backup, draft);
    chmodSync(draft, 0o600);
    await inspectBeside(draft, { migrations });
    syncFile(draft);
    return draft;
  } catch (error) {
    removeDraft(draft);
    const name = basename(backup);
    if (!(error instanceof DataFolderError)) {
      const text = `The backup ${name} could not be copied. Nothing was restored; check the free space.`;
      throw new DataFolderError('unusable', text, { cause: error });
    }
    const text = `The backup ${name} is not good (${error.fault}). Nothing was restored; choose another.`;
    throw new DataFolderError(error.fault, text, { cause: error });
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
  removeDraft(`${path}.new`);
  if (!existsSync(before)) return;
  if (statSync(before).ino === statSync(path).ino) rmSync(before);
  else {
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
    renameSync(before, path);
  }
}

/** With its log: another copy's would be taken for the next one's. */
function removeDraft(draft: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(draft + end, { force: true });
}

function refuseInUse(path: string): void {
  if (!existsSync(path)) return;
  try {
    connectToLook(path).close();
  } catch (error) {
    if (isBusy(error)) throw fault('in-use', path, error);
    // What else is wrong with the file is why it is replaced.
  }
}
