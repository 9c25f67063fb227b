/**
 * Verifies a database file before anything writes to it: header and size first, the rest through a read-only
 * connection.
 * A damaged file stays unchanged, so that a person can examine it.
 */
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { formatList, formatPlural } from '../../core/text/language.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import { findLatestBackup } from './backup-folder.ts';
import { DataFolderError, type FolderErrorCode } from './data-folder-error.ts';
import type { Migrations } from './migrate.ts';
import { strangeObjects } from './schema.ts';
import { closing, connectReadOnly } from './sqlite.ts';
import { codeOf } from '../store/store-error.ts';

const magic = 'SQLite format 3\0';
const headerBytes = 100;

/** Files up to this size in bytes are always checked, larger ones only after an unclean shutdown. */
const alwaysChecked = 1024 ** 3;

export interface IntegrityReport {
  /** Migrations of this program. Absent if the schema is not checked. */
  readonly migrations?: Migrations;
  /** True if the last run closed the file. */
  readonly closed: boolean;
}

/**
 * Verifies a database file without changing it.
 *
 * @throws DataFolderError with the problem, the file, and the latest backup if there is one.
 */
export function verifyDatabase(path: string, { migrations, closed }: IntegrityReport): void {
  inspectBytes(path);
  mapFileErrors(path, () =>
    closing(connectReadOnly(path), (database) => {
      const version = Number(database.pragma('user_version', { simple: true }));
      if (migrations && version > migrations.length) throw fault('newer', path);
      const check = !closed || statSync(path).size <= alwaysChecked;
      if (check && database.pragma('quick_check(1)', { simple: true }) !== 'ok') throw fault('damaged', path);
      const strange = migrations ? strangeObjects(database, migrations.slice(0, version)) : [];
      if (strange.length > 0) throw otherSchema(path, strange);
    }),
  );
}

/** Runs work on a database file. Maps errors of the driver and the system to a DataFolderError. */
export function mapFileErrors<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof DataFolderError ? error : fault(faultOf(error), path, error);
  }
}

/**
 * Verifies only header and size, without a connection.
 *
 * @throws DataFolderError if one is wrong or the file is not writable.
 */
export function inspectBytes(path: string): void {
  const { size } = statSync(path);
  if (size === 0) throw fault('empty', path);
  const header = headerOf(path);
  const start = header.toString('latin1', 0, magic.length);
  if (!magic.startsWith(start)) throw fault('foreign', path);
  if (header.length < headerBytes) throw fault('truncated', path);
  // A WAL without a checkpoint may contain the pages that the header counts.
  if (!hasLog(path) && size < pageSizeOf(header) * header.readUInt32BE(28)) throw fault('truncated', path);
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw fault('read-only', path, error);
  }
}

function headerOf(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(headerBytes);
    return header.subarray(0, readSync(file, header, 0, headerBytes, 0));
  } finally {
    closeSync(file);
  }
}

/** SQLite file format, section 1.3.2: 1 means 65,536. */
function pageSizeOf(header: Buffer): number {
  const size = header.readUInt16BE(16);
  return size === 1 ? 65_536 : size;
}

function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

const codesByError: readonly (readonly [codes: RegExp, fault: FolderErrorCode])[] = [
  [/^SQLITE_(BUSY|LOCKED)/, 'in-use'],
  [/^SQLITE_(NOTADB|CORRUPT)/, 'damaged'],
  [/^SQLITE_READONLY/, 'read-only'],
  [/^(ENOTDIR|EEXIST)$/, 'not-a-folder'],
  [/^(EACCES|EPERM|EROFS)$/, 'closed-folder'],
];

/** Maps an error code of the driver or the system to a folder error. */
export function faultOf(error: unknown): FolderErrorCode {
  return codesByError.find(([codes]) => codes.test(codeOf(error)))?.[1] ?? 'unusable';
}

const messages = defineMessages('dataFolder', {
  'in-use': '{path} is in use by another Chartkeeper. Close that one, or choose another folder with --data.',
  newer:
    '{path} was written by a newer Chartkeeper. Install that version, or choose another folder with --data.',
  empty: '{path} is empty, which Chartkeeper never leaves behind. It was not changed.',
  foreign: '{path} is not a Chartkeeper database. It was not changed.',
  truncated: '{path} is incomplete: its end is missing. It was not changed.',
  damaged: '{path} is damaged. It was not changed.',
  'read-only': '{path} is not writable. Check its owner and permissions.',
  'other-schema':
    '{path} has an unknown table layout. It was written by an unreleased version. Choose another folder with --data. It was not changed.',
  'not-a-folder': '{folder} can’t be a data folder: a file has this name. Choose another with --data.',
  'closed-folder':
    'Can’t create or open {folder}. Check the permissions of its parent folders, or choose another with --data.',
  'other-settings': '{path} can’t be stored safely. Choose a folder on a local disk with --data.',
  missing:
    '{path} is missing, but its companion files exist. Nothing was created. Use `chartkeeper serve --start-empty` to start with no records.',
  'rotten-backup': '{path} contains damaged texts. It was not changed.',
  unfinished:
    'A move into {folder} is incomplete. Run `chartkeeper move` again with the same --from and --to.',
  unusable: 'Can’t open {path}. Check the folder’s owner and free space.',
  withChanges: '{problem} Changed: {objects}.',
  withoutBackup: '{problem} There is no backup next to it. Choose another folder with --data.',
  withBackup: '{problem} The newest backup is {backup}. Use `chartkeeper restore` to restore it.',
});

const messageOf: Readonly<
  Record<FolderErrorCode, (parameters: { readonly path: string; readonly folder: string }) => Message>
> = messages;

/** Creates the error of an unknown schema. It names the changed objects. */
function otherSchema(path: string, strange: readonly string[]): DataFolderError {
  const { errorCode: name, message: problem } = fault('other-schema', path);
  const objectNames = formatList(strange.slice(0, maxNamedObjects), 'unit');
  const remainingCount = strange.length - maxNamedObjects;
  const objects =
    remainingCount > 0
      ? formatPlural(remainingCount, { other: '{named}, and {n} more' }, { named: objectNames })
      : objectNames;
  return new DataFolderError(name, messages.withChanges({ problem, objects }), { detail: objects });
}

/** Maximum number of schema objects that a sentence names. */
const maxNamedObjects = 3;

const beyondRepair: readonly FolderErrorCode[] = ['empty', 'foreign', 'truncated', 'damaged', 'missing'];

/** Creates the error of a file. The sentence includes the remedy, if there is one. */
export function fault(name: FolderErrorCode, path: string, cause?: unknown): DataFolderError {
  const message = messageOf[name]({ path, folder: dirname(path) });
  if (!beyondRepair.includes(name)) return new DataFolderError(name, message, { cause });
  const [backup, problem] = [findLatestBackup(path), message.text];
  const way =
    backup === undefined ? messages.withoutBackup({ problem }) : messages.withBackup({ problem, backup });
  return new DataFolderError(name, way, { cause });
}
