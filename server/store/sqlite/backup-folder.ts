import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { backupKinds, type BackupKind } from '../../../core/app/backups.ts';
import { manifestOf } from './manifest.ts';

/** A backup by its file's name, which tells everything about it. */
export interface NamedBackup {
  readonly name: string;
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly kind: BackupKind;
}

/** What is known of the backups in another place, and the place itself where it cannot be looked at. */
export interface SeenBackups {
  readonly backups: readonly NamedBackup[];
  readonly unseen: string | null;
}

/** What a file is called while it is written: no half of a backup ever bears a backup's name. */
const draftEnd = '.draft';

/** The folder of a database's backups. */
export function backupsOf(path: string): string {
  return join(dirname(path), 'backups');
}

/** Where a new backup of a database goes: beside it, under its name, the time and the reason. */
export function backupPath(path: string, kind: BackupKind, time: number = Date.now()): string {
  return join(backupsOf(path), `${databaseName(path)}-${stampOf(time)}-${kind}.db`);
}

/** Where a database goes that a restore at the command line replaces. */
export function replacedPath(path: string, time: number = Date.now()): string {
  return `${path}${replacedMark}${stampOf(time)}`;
}

/**
 * Backups of a database, newest first, with what restores at the command line have replaced; other files in the folders
 * are none.
 */
export function listBackups(path: string): readonly NamedBackup[] {
  const folder = backupsOf(path);
  const replaced = filesIn(dirname(path), basename(path) + replacedMark).map((file) =>
    file.replace(/-(?:wal|shm)$/, ''),
  );
  return newestFirst([
    ...backupsNamed(folder, path, filesIn(folder, '')),
    ...[...new Set(replaced)].flatMap((file) => readReplaced(path, file) ?? []),
  ]);
}

/** Backups of the same database among the files of another folder, newest first. */
export function backupsNamed(folder: string, path: string, files: readonly string[]): readonly NamedBackup[] {
  const own = files.filter((file) => file.startsWith(`${databaseName(path)}-`));
  return newestFirst(own.flatMap((file) => readName(folder, file) ?? []));
}

/** Path of the newest backup of a database; undefined where there is none. What was replaced is no backup. */
export function newestBackup(path: string): string | undefined {
  return listBackups(path).find(({ kind }) => kind !== 'replaced')?.path;
}

/** Removes a database's file with its log: another copy's would be taken for the next one's. */
export function removeDatabase(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
}

/** Removes a backup with all that belongs to it. */
export function removeBackup(path: string): void {
  removeDatabase(path);
  rmSync(manifestOf(path), { force: true });
}

/** Name of a backup while it is written. */
export function draftOf(backup: string): string {
  return backup + draftEnd;
}

/** Removes what is left of backups that were being written when the process ended. */
export function removeDrafts(path: string, folder = backupsOf(path)): void {
  const files = filesIn(folder, `${databaseName(path)}-`);
  const whole = new Set(files.map((file) => manifestOf(file)));
  for (const file of files) {
    const isLeft = file.includes(`.db${draftEnd}`) || (file.endsWith(manifestOf('.db')) && !whole.has(file));
    if (isLeft) rmSync(join(folder, file), { force: true });
  }
}

/** Makes the folder of a database's backups, mode 0700, where there is none. */
export function makeBackupFolder(path: string): void {
  const folder = dirname(path);
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
}

function filesIn(folder: string, start: string): readonly string[] {
  const isFolder = existsSync(folder) && statSync(folder).isDirectory();
  return isFolder ? readdirSync(folder).filter((file) => file.startsWith(start)) : [];
}

function newestFirst(backups: readonly NamedBackup[]): readonly NamedBackup[] {
  return backups.toSorted((one, other) => other.time - one.time);
}

function databaseName(path: string): string {
  return basename(path).split('.')[0] ?? '';
}

const replacedMark = '.replaced-';
const form = /^[a-z]+-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z(?:-([a-z]+))?\.db$/;
const replacedForm = /\.replaced-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/;

function stampOf(time: number): string {
  return new Date(time).toISOString().replaceAll(/[:.]/g, '-');
}

function timeOf([, day, hours, minutes, seconds, rest]: readonly string[]): number {
  return Date.parse(`${day}T${hours}:${minutes}:${seconds}.${rest}Z`);
}

function readName(folder: string, name: string): NamedBackup | undefined {
  const found = form.exec(name);
  const kind = backupKinds.find((one) => one === (found?.[6] ?? 'asked'));
  if (!found || !kind) return undefined;
  return { name, path: join(folder, name), time: timeOf(found), kind };
}

function readReplaced(path: string, name: string): NamedBackup | undefined {
  const found = replacedForm.exec(name);
  return found ? { name, path: join(dirname(path), name), time: timeOf(found), kind: 'replaced' } : undefined;
}
