import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, type Dirent } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { backupKinds, type BackupKind } from '../../core/app/backups.ts';
import { manifestOf } from './manifest.ts';

/** A backup file, described by its name. */
export interface NamedBackup {
  readonly name: string;
  readonly path: string;
  /** Milliseconds since the epoch, by the clock at the time of the backup. */
  readonly time: number;
  /** Position in the order of writing, from 1. 0 for a file of an older version without numbers. */
  readonly number: number;
  readonly kind: BackupKind;
}

/** Backups found in another folder, and the folder if it can't be read. */
export interface SeenBackups {
  readonly backups: readonly NamedBackup[];
  readonly unseen: string | null;
}

/** Suffix of a file that is being written. A partial backup never has the name of a backup. */
const draftEnd = '.draft';

/** Returns the backup folder of a database. */
export function backupsOf(path: string): string {
  return join(dirname(path), 'backups');
}

/**
 * Returns the path of a new backup: folder, database name, time, next number and reason. The number is larger than the
 * number of any backup in the folder and in `otherBackups`.
 */
export function backupPath(
  path: string,
  kind: BackupKind,
  time: number = Date.now(),
  otherBackups: readonly NamedBackup[] = [],
): string {
  const stamp = stampOf(time, nextNumber([...listBackups(path), ...otherBackups]));
  return join(backupsOf(path), `${databaseName(path)}-${stamp}-${kind}.db`);
}

/** Returns the path to which a restore at the command line moves the replaced database. */
export function replacedPath(path: string, time: number = Date.now()): string {
  return `${path}${replacedMark}${stampOf(time, nextNumber(listBackups(path)))}`;
}

/**
 * Lists the backups of a database and the databases that command-line restores replaced, newest first. Ignores other
 * files of the folders.
 */
export function listBackups(path: string): readonly NamedBackup[] {
  return backupsIn(path, (entries) => plainFiles(entries));
}

/**
 * Lists entries that are named like a backup but are not plain files, or belong to such an entry. They must not be
 * opened: a pipe never answers.
 */
export function skippedBackups(path: string): readonly NamedBackup[] {
  const plain = new Set(listBackups(path).map(({ name }) => name));
  const namedBackups = backupsIn(path, (entries) => entries.map(({ name }) => name));
  return namedBackups.filter(({ name }) => !plain.has(name));
}

function backupsIn(
  path: string,
  selectNames: (entries: readonly Dirent[]) => readonly string[],
): readonly NamedBackup[] {
  const folder = backupsOf(path);
  const replacedFiles = selectNames(entriesIn(dirname(path)))
    .filter((file) => file.startsWith(basename(path) + replacedMark))
    .map((file) => file.replace(/-(?:wal|shm)$/, ''));
  return newestFirst([
    ...backupsNamed(folder, path, selectNames(entriesIn(folder))),
    ...[...new Set(replacedFiles)].flatMap((file) => parseReplacedName(path, file) ?? []),
  ]);
}

/** Returns the backups of one database among the files of another folder, newest first. */
export function backupsNamed(folder: string, path: string, files: readonly string[]): readonly NamedBackup[] {
  const databaseFiles = files.filter((file) => isNameOf(path, file));
  return newestFirst(databaseFiles.flatMap((file) => parseBackupName(folder, file) ?? []));
}

/** Returns the names of the plain files of a folder, except those that belong to an entry of another kind. */
export function plainFiles(entries: readonly Dirent[]): readonly string[] {
  const otherNames = new Set(entries.filter((entry) => !entry.isFile()).map(({ name }) => name));
  const isPlain = (name: string) =>
    [name, ...listAccompanyingFiles(name)].every((file) => !otherNames.has(file));
  return entries.map(({ name }) => name).filter(isPlain);
}

/** Returns the files that are opened together with a backup. */
function listAccompanyingFiles(backup: string): readonly string[] {
  return [manifestOf(backup), ...['-wal', '-shm', '-journal'].map((end) => backup + end)];
}

/** Returns true if a file has the name of a backup of the database. */
export function isNameOf(path: string, file: string): boolean {
  return file.startsWith(`${databaseName(path)}-`);
}

/**
 * Returns backups in the order of writing, newest first. The number decides, because a clock can be set back. Files
 * without a number are older than all numbered files. Among them the time decides, unless it lies in the future.
 */
export function newestFirst<Item extends Omit<NamedBackup, 'name' | 'path' | 'kind'>>(
  backups: readonly Item[],
  now: number = Date.now(),
): readonly Item[] {
  const isAhead = ({ number, time }: Item) => Number(number === 0 && time > now);
  return backups.toSorted(
    (item, right) => right.number - item.number || isAhead(item) - isAhead(right) || right.time - item.time,
  );
}

function nextNumber(backups: readonly NamedBackup[]): number {
  return 1 + backups.reduce((largest, { number }) => Math.max(largest, number), 0);
}

/** Returns the path of the latest backup, or undefined if there is none. Replaced databases do not count. */
export function findLatestBackup(path: string): string | undefined {
  return listBackups(path).find(({ kind }) => kind !== 'replaced')?.path;
}

/** Removes a database file and its WAL. Otherwise the next file at this path would use the old WAL. */
export function removeDatabase(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
}

/** Removes a backup and the files that belong to it. */
export function removeBackup(path: string): void {
  removeDatabase(path);
  rmSync(manifestOf(path), { force: true });
}

/** Returns the name of a backup while it is being written. */
export function draftOf(backup: string): string {
  return backup + draftEnd;
}

/** Lists backups that are being written, under their final names. */
export function unfinishedBackups(path: string): readonly NamedBackup[] {
  const folder = backupsOf(path);
  const drafts = plainFiles(entriesIn(folder)).filter((file) => file.endsWith(draftEnd));
  return backupsNamed(
    folder,
    path,
    drafts.map((file) => file.slice(0, -draftEnd.length)),
  );
}

/** Removes partial backups of a process that ended. */
export function removeDrafts(path: string, folder = backupsOf(path)): void {
  const entries = entriesIn(folder);
  const files = plainFiles(entries).filter((file) => isNameOf(path, file));
  const manifestNames = new Set(entries.map(({ name }) => manifestOf(name)));
  for (const file of files) {
    const isLeft =
      file.includes(`.db${draftEnd}`) || (file.endsWith(manifestOf('.db')) && !manifestNames.has(file));
    if (isLeft) rmSync(join(folder, file), { force: true });
  }
}

/** Creates the backup folder with mode 0700 if it is missing. */
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

/** For example `2026-11-28T00-10-36-000Z-0042`. The number has at least four digits. */
function stampOf(time: number, number: number): string {
  const instant = new Date(time).toISOString().replaceAll(/[:.]/g, '-');
  return `${instant}-${String(number).padStart(4, '0')}`;
}

function timeOf([, day, hours, minutes, seconds, milliseconds]: readonly string[]): number {
  return Date.parse(`${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`);
}

function numberOf(groups: readonly (string | undefined)[]): number {
  return Number(groups[6] ?? 0);
}

function parseBackupName(folder: string, name: string): NamedBackup | undefined {
  const match = form.exec(name);
  const kind = backupKinds.find((candidate) => candidate === (match?.[7] ?? 'asked'));
  if (!match || !kind) return undefined;
  return { name, path: join(folder, name), time: timeOf(match), number: numberOf(match), kind };
}

function parseReplacedName(path: string, name: string): NamedBackup | undefined {
  const match = replacedForm.exec(name);
  if (!match) return undefined;
  const replacedFile = join(dirname(path), name);
  return { name, path: replacedFile, time: timeOf(match), number: numberOf(match), kind: 'replaced' };
}
