import {
  closeSync,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  chmodSync,
  readdirSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { backUp } from './backup.ts';
import { backupPath, removeDrafts, replacedPath, backupsOf, listBackups } from './backup-folder.ts';
import { assertSettings, configure, type LockingMode } from './connection-settings.ts';
import { dropFailedFrames } from './failed-frames.ts';
import { look, makeFolder } from './folder-lock.ts';
import { fault, verifyDatabase, mapFileErrors } from './integrity.ts';
import { applyMigrations, type Migrations } from './migrate.ts';
import { isMissing } from './missing.ts';
import { closing, connect, isDiskError, isFull, refusesIndex, type SqliteDatabase } from './sqlite.ts';
import { syncFolder } from './sync.ts';
import { defineMessages } from '../../core/text/message.ts';
import { DataFolderError } from './data-folder-error.ts';

export type { Migrations } from './migrate.ts';

/**
 * Opens a database file for this process only. Creates a missing file with mode 0600 in a folder with mode 0700.
 * Verifies a file before any write. Sets WAL with synchronous FULL and an exclusive lock, migrates, and reads the
 * settings back. Close it with {@link closeDatabase}.
 *
 * @throws DataFolderError as `verifyDatabase` does, if another process has the file open, or if a setting is ignored.
 */
export function openDatabase(path: string, migrations: Migrations): SqliteDatabase {
  look(path)();
  return open(path, migrations, 'exclusive');
}

/**
 * Opens a file that this process has locked, so that readers may open it too. A full disk has no space for their shared
 * WAL index. The file is then opened with an exclusive lock.
 */
export function openLocked(path: string, migrations: Migrations): SqliteDatabase {
  return open(path, migrations, 'normal');
}

/** Opens a locked file that this process had open or verified just before. */
export function reopenLocked(path: string, migrations: Migrations): SqliteDatabase {
  return mapFileErrors(path, () => openInspected(path, migrations, 'normal'));
}

/** Returns true if a database has an exclusive lock, so that no reader can be opened. */
export function isExclusive(database: SqliteDatabase): boolean {
  return database.pragma('locking_mode', { simple: true }) === 'exclusive';
}

function open(path: string, migrations: Migrations, locking: LockingMode): SqliteDatabase {
  return mapFileErrors(path, () => {
    if (existsSync(path)) verifyDatabase(path, { migrations, closed: !existsSync(markOf(path)) });
    else if (isMissing(path)) throw fault('missing', path);
    else createDatabase(path, migrations);
    return openInspected(path, migrations, locking);
  });
}

/** Closes a database cleanly. The next start can skip the full check. */
export function closeDatabase(database: SqliteDatabase): void {
  database.close();
  const mark = markOf(database.name);
  if (!existsSync(mark)) return;
  rmSync(mark);
  syncFolder(dirname(mark));
}

function openInspected(path: string, migrations: Migrations, requestedLocking: LockingMode): SqliteDatabase {
  restrictToOwner(path);
  const { database, locking } = connectToWrite(path, requestedLocking);
  try {
    takesWrite(database);
    setMark(path);
    removeDrafts(path);
    migrate(database, migrations);
    assertSettings(database, locking);
    assertOwnerOnly(path);
    return database;
  } catch (error) {
    // No other process writes here. Otherwise its lock would have failed before the disk.
    if (isDiskError(error)) dropFailedFrames(database);
    database.close();
    throw error;
  }
}

interface WriteConnection {
  readonly database: SqliteDatabase;
  readonly locking: LockingMode;
}

/** Connects for writing. If the disk has no space for the shared WAL index, keeps the index in memory. */
function connectToWrite(path: string, locking: LockingMode): WriteConnection {
  const database = connect(path);
  try {
    configure(database, locking);
    return { database, locking };
  } catch (error) {
    database.close();
    if (locking === 'exclusive' || !refusesIndex(error)) throw error;
    return connectToWrite(path, 'exclusive');
  }
}

/**
 * Migrates a database to the latest version, after a backup.
 *
 * @throws DataFolderError if no backup can be written. Then nothing changes.
 */
function migrate(database: SqliteDatabase, migrations: Migrations): void {
  const storedVersion = Number(database.pragma('user_version', { simple: true }));
  if (storedVersion > 0 && storedVersion < migrations.length)
    backUp(database, backupPath(database.name, 'migration'));
  applyMigrations(database, migrations);
}

/**
 * Tests a write without a change. SQLite takes an exclusive lock at the first access, not at the pragma, so this makes
 * a second start fail. Returns false if the disk is full; the database can then still be read.
 */
export function takesWrite(database: SqliteDatabase): boolean {
  const version = Number(database.pragma('user_version', { simple: true }));
  try {
    database.exec(`BEGIN EXCLUSIVE; PRAGMA user_version = ${version}; COMMIT`);
    return true;
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    if (!isFull(error)) throw error;
    return false;
  }
}

/**
 * Returns the path of the open mark, a file that exists while the database is open. A left-over mark means an unclean
 * shutdown.
 */
function markOf(path: string): string {
  return `${path}-open`;
}

/** Syncs the open mark before any write. Otherwise a power cut could remove it and leave a partial write. */
function setMark(path: string): void {
  closeSync(openSync(markOf(path), 'a', 0o600));
  syncFolder(dirname(path));
}

/**
 * Creates an empty database if there is none. Keeps the WAL of a missing database under another name.
 *
 * @returns True if it created one.
 */
export function makeEmpty(path: string, migrations: Migrations): boolean {
  if (existsSync(path)) return false;
  moveWalAway(path, replacedPath(path));
  createDatabase(path, migrations);
  return true;
}

/** Moves a WAL that is not empty to another name. */
export function moveWalAway(path: string, targetPath: string): void {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (log && log.size > 0) renameSync(`${path}-wal`, `${targetPath}-wal`);
  for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
}

/** Creates the file under another name first, so that no crash leaves a partial one. */
function createDatabase(path: string, migrations: Migrations): void {
  const folder = dirname(path);
  makeFolder(folder);
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  closeSync(openSync(draft, 'wx', 0o600));
  closing(connect(draft), (database) => {
    configure(database, 'exclusive');
    migrate(database, migrations);
  });
  renameSync(draft, path);
  syncFolder(folder);
}

const messages = defineMessages('fileModes', {
  open: '{file} can’t be protected from other users: its mode is {found}, {mode} is needed. Choose a folder on a local disk with --data.',
});

/** Names of the files and folders that Chartkeeper creates in a data folder. */
const ownNames = /^((records|workspace|text)\.db.*|backups|packages|remote|moved?\.json|sign-in-.*)$/;

/** Windows has no such modes. There, program folders belong to the user. */
const hasModes = process.platform !== 'win32';

/**
 * Restricts database files to their owner: 0600 for files, 0700 for folders. A folder with other content, or of another
 * user, stays unchanged.
 */
function restrictToOwner(path: string): void {
  if (hasModes) for (const [file, mode] of modesOf(path)) chmodSync(file, mode);
}

/** @throws DataFolderError if a file or folder is still accessible to others, as on a disk without modes. */
export function assertOwnerOnly(path: string): void {
  if (!hasModes) return;
  for (const [file, mode] of modesOf(path)) {
    const actual = statSync(file).mode & 0o777;
    if (actual === mode) continue;
    const modes = { found: actual.toString(8), mode: mode.toString(8) };
    throw new DataFolderError('other-settings', messages.open({ file, ...modes }));
  }
}

/** Lists the existing files and folders of a database with their required modes. */
function modesOf(path: string): readonly (readonly [file: string, mode: number])[] {
  const suffixes = ['', '-wal', '-shm', '-lock'];
  const files = [
    ...suffixes.map((suffix) => path + suffix),
    ...listBackups(path).map((backup) => backup.path),
  ];
  const folders = [backupsOf(path), ...(isOwn(dirname(path)) ? [dirname(path)] : [])];
  const requiredModes = [
    ...folders.map((path) => [path, 0o700] as const),
    ...files.map((path) => [path, 0o600] as const),
  ];
  return requiredModes.filter(([file]) => existsSync(file));
}

/** Returns true if the folder belongs to this user and contains only files of Chartkeeper. */
function isOwn(folder: string): boolean {
  if (statSync(folder).uid !== process.getuid?.()) return false;
  return readdirSync(folder).every((name) => ownNames.test(name));
}
