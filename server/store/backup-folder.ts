import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { backupKinds, type BackupKind } from '../../core/app/backups.ts';

/** A backup by its file's name, which tells everything about it. */
export interface NamedBackup {
  readonly name: string;
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly kind: BackupKind;
}

/** What a file is called while it is written: no half of a backup ever bears a backup's name. */
const draftEnd = '.draft';

/** The folder of a database's backups. */
export function backupsOf(path: string): string {
  return join(dirname(path), 'backups');
}

/** Where a new backup of a database goes: beside it, under its name, the time and the reason. */
export function backupPath(path: string, kind: BackupKind, time: number = Date.now()): string {
  const stamp = new Date(time).toISOString().replaceAll(/[:.]/g, '-');
  return join(backupsOf(path), `${databaseName(path)}-${stamp}-${kind}.db`);
}

/** Backups of a database, newest first; other files in the folder are none. */
export function listBackups(path: string): readonly NamedBackup[] {
  const found = filesOf(path).flatMap((file) => readName(path, file) ?? []);
  return found.toSorted((one, other) => other.time - one.time);
}

/** Path of the newest backup of a database; undefined where there is none. */
export function newestBackup(path: string): string | undefined {
  return listBackups(path)[0]?.path;
}

/** Name of a backup while it is written. */
export function draftOf(backup: string): string {
  return backup + draftEnd;
}

/** Removes what is left of backups that were being written when the process ended. */
export function removeDrafts(path: string): void {
  for (const file of filesOf(path)) {
    if (file.includes(`.db${draftEnd}`)) rmSync(join(backupsOf(path), file), { force: true });
  }
}

/** Makes the folder of a database's backups, mode 0700, where there is none. */
export function makeBackupFolder(path: string): void {
  const folder = dirname(path);
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
}

function filesOf(path: string): readonly string[] {
  const folder = backupsOf(path);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((file) => file.startsWith(`${databaseName(path)}-`));
}

function databaseName(path: string): string {
  return basename(path).split('.')[0] ?? '';
}

const form = /^[a-z]+-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z(?:-([a-z]+))?\.db$/;

function readName(path: string, name: string): NamedBackup | undefined {
  const [found, day, hours, minutes, seconds, rest, kind = 'asked'] = form.exec(name) ?? [];
  const known = backupKinds.find((one) => one === kind);
  if (found === undefined || known === undefined) return undefined;
  const time = Date.parse(`${day}T${hours}:${minutes}:${seconds}.${rest}Z`);
  return { name, path: join(backupsOf(path), name), time, kind: known };
}
