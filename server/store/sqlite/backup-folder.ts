import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, type Dirent } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { backupKinds, type BackupKind } from '../../../core/app/backups.ts';
import { manifestOf } from './manifest.ts';

/** A backup by its file's name, which tells everything about it. */
export interface NamedBackup {
  readonly name: string;
  readonly path: string;
  /** Milliseconds since the epoch, by the clock of then. */
  readonly time: number;
  /** Its place in the order of writing, from 1; 0 for a file of a program that gave no numbers. */
  readonly number: number;
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

/**
 * Where a new backup of a database goes: beside it, under its name, the time, the next number and the reason. The number
 * is larger than that of each backup in the folder, and of each one `elsewhere`.
 */
export function backupPath(
  path: string,
  kind: BackupKind,
  time: number = Date.now(),
  elsewhere: readonly NamedBackup[] = [],
): string {
  const stamp = stampOf(time, nextNumber([...listBackups(path), ...elsewhere]));
  return join(backupsOf(path), `${databaseName(path)}-${stamp}-${kind}.db`);
}

/** Where a database goes that a restore at the command line replaces. */
export function replacedPath(path: string, time: number = Date.now()): string {
  return `${path}${replacedMark}${stampOf(time, nextNumber(listBackups(path)))}`;
}

/**
 * Backups of a database, newest first, with what restores at the command line have replaced; other files in the folders
 * are none.
 */
export function listBackups(path: string): readonly NamedBackup[] {
  return backupsIn(path, (entries) => plainFiles(entries));
}

/**
 * What is named as a backup of a database and is a link, a pipe, a device or a folder, or stands beside one. Nothing opens
 * it, as a pipe never answers.
 */
export function skippedBackups(path: string): readonly NamedBackup[] {
  const plain = new Set(listBackups(path).map(({ name }) => name));
  const named = backupsIn(path, (entries) => entries.map(({ name }) => name));
  return named.filter(({ name }) => !plain.has(name));
}

function backupsIn(
  path: string,
  chosen: (entries: readonly Dirent[]) => readonly string[],
): readonly NamedBackup[] {
  const folder = backupsOf(path);
  const replaced = chosen(entriesIn(dirname(path)))
    .filter((file) => file.startsWith(basename(path) + replacedMark))
    .map((file) => file.replace(/-(?:wal|shm)$/, ''));
  return newestFirst([
    ...backupsNamed(folder, path, chosen(entriesIn(folder))),
    ...[...new Set(replaced)].flatMap((file) => readReplaced(path, file) ?? []),
  ]);
}

/** Backups of the same database among the files of another folder, newest first. */
export function backupsNamed(folder: string, path: string, files: readonly string[]): readonly NamedBackup[] {
  const own = files.filter((file) => isNameOf(path, file));
  return newestFirst(own.flatMap((file) => readName(folder, file) ?? []));
}

/** Returns the names of the plain files among a folder's entries, without those that stand beside something else. */
export function plainFiles(entries: readonly Dirent[]): readonly string[] {
  const others = new Set(entries.filter((entry) => !entry.isFile()).map(({ name }) => name));
  const isPlain = (name: string) => [name, ...companionsOf(name)].every((one) => !others.has(one));
  return entries.map(({ name }) => name).filter(isPlain);
}

/** What is opened together with a backup. */
function companionsOf(backup: string): readonly string[] {
  return [manifestOf(backup), ...['-wal', '-shm', '-journal'].map((end) => backup + end)];
}

/** True if a file is named as the backups of a database are. */
export function isNameOf(path: string, file: string): boolean {
  return file.startsWith(`${databaseName(path)}-`);
}

/**
 * Returns backups in the order of their writing, the newest first. Their numbers tell it, as a clock can be set back. Files
 * without one are older than all that have one; their time tells, unless it is yet to come: then the clock was wrong.
 */
export function newestFirst<One extends Omit<NamedBackup, 'name' | 'path' | 'kind'>>(
  backups: readonly One[],
  now: number = Date.now(),
): readonly One[] {
  const isAhead = ({ number, time }: One) => Number(number === 0 && time > now);
  return backups.toSorted(
    (one, other) => other.number - one.number || isAhead(one) - isAhead(other) || other.time - one.time,
  );
}

function nextNumber(backups: readonly NamedBackup[]): number {
  return 1 + backups.reduce((largest, { number }) => Math.max(largest, number), 0);
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

/** Backups of a database that are being written, under the names that they will bear. */
export function unfinishedBackups(path: string): readonly NamedBackup[] {
  const folder = backupsOf(path);
  const drafts = plainFiles(entriesIn(folder)).filter((file) => file.endsWith(draftEnd));
  return backupsNamed(
    folder,
    path,
    drafts.map((file) => file.slice(0, -draftEnd.length)),
  );
}

/** Removes what is left of backups that were being written when the process ended. */
export function removeDrafts(path: string, folder = backupsOf(path)): void {
  const entries = entriesIn(folder);
  const files = plainFiles(entries).filter((file) => isNameOf(path, file));
  const whole = new Set(entries.map(({ name }) => manifestOf(name)));
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

function entriesIn(folder: string): readonly Dirent[] {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? readdirSync(folder, { withFileTypes: true }) : [];
}

function databaseName(path: string): string {
  return basename(path).split('.')[0] ?? '';
}

const replacedMark = '.replaced-';
const form = /^[a-z]+-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z(?:-(\d{4,15}))?(?:-([a-z]+))?\.db$/;
const replacedForm = /\.replaced-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z(?:-(\d{4,15}))?$/;

/** `2026-11-28T00-10-36-000Z-0042`: the number has four digits at least. */
function stampOf(time: number, number: number): string {
  const instant = new Date(time).toISOString().replaceAll(/[:.]/g, '-');
  return `${instant}-${String(number).padStart(4, '0')}`;
}

function timeOf([, day, hours, minutes, seconds, rest]: readonly string[]): number {
  return Date.parse(`${day}T${hours}:${minutes}:${seconds}.${rest}Z`);
}

function numberOf(found: readonly (string | undefined)[]): number {
  return Number(found[6] ?? 0);
}

function readName(folder: string, name: string): NamedBackup | undefined {
  const found = form.exec(name);
  const kind = backupKinds.find((one) => one === (found?.[7] ?? 'asked'));
  if (!found || !kind) return undefined;
  return { name, path: join(folder, name), time: timeOf(found), number: numberOf(found), kind };
}

function readReplaced(path: string, name: string): NamedBackup | undefined {
  const found = replacedForm.exec(name);
  if (!found) return undefined;
  const place = join(dirname(path), name);
  return { name, path: place, time: timeOf(found), number: numberOf(found), kind: 'replaced' };
}
