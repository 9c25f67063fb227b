import { copyFileSync, chmodSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DataFolderError } from './data-folder-error.ts';
import { fault, inspect } from './inspect.ts';
import type { Migrations } from './migrate.ts';
import { connect, isBusy } from './sqlite.ts';
import { syncFile, syncFolder } from './sync.ts';

/**
 * Puts a backup in the place of a database, which is kept under another name: that name is the answer, or undefined
 * where there was none. At each moment the place holds the one or the other, whole.
 *
 * @throws DataFolderError where the backup is not good, or the database is in use; then nothing is changed.
 */
export function restore(path: string, backup: string, migrations: Migrations): string | undefined {
  if (!existsSync(backup))
    throw new DataFolderError('unusable', `${backup} is not there. Nothing was restored.`);
  inspect(backup, { migrations, closed: false });
  refuseInUse(path);
  const draft = `${path}.new`;
  copyFileSync(backup, draft);
  chmodSync(draft, 0o600);
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

function refuseInUse(path: string): void {
  if (!existsSync(path)) return;
  const database = connect(path, { readonly: true });
  try {
    database.prepare('SELECT 1 FROM sqlite_schema').get();
  } catch (error) {
    if (isBusy(error)) throw fault('in-use', path, error);
    // What else is wrong with the file is why it is replaced.
  } finally {
    database.close();
  }
}
