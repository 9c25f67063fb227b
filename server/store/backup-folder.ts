import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The folder of a database's backups. */
export function backupsOf(path: string): string {
  return join(dirname(path), 'backups');
}

/** Where a new backup of a database goes: beside it, under its name and the time. */
export function backupPath(path: string): string {
  const [name] = basename(path).split('.');
  return join(backupsOf(path), `${name}-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.db`);
}

/** Path of the newest backup of a database; undefined where there is none. */
export function newestBackup(path: string): string | undefined {
  const folder = backupsOf(path);
  if (!existsSync(folder)) return undefined;
  const [name] = basename(path).split('.');
  const found = readdirSync(folder)
    .filter((file) => file.startsWith(`${name}-`) && file.endsWith('.db'))
    .map((file) => join(folder, file));
  return found.toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)[0];
}
