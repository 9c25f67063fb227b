/**
 * Looks at a database's file before anything is written to it: the header and size by themselves, the rest through a
 * connection that only reads. What is not good is left exactly as it is, for a person to look at.
 */
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { newestBackup } from './backup-folder.ts';
import { DataFolderError, type FolderFault } from './data-folder-error.ts';
import type { Migrations } from './migrate.ts';
import { strangeObjects } from './schema.ts';
import { closing, connectToLook } from './sqlite.ts';
import { codeOf } from '../store-error.ts';

const magic = 'SQLite format 3\0';
const headerBytes = 100;

/** Bytes up to which every file is checked; larger ones only where the last run did not end in order. */
const alwaysChecked = 1024 ** 3;

export interface Inspection {
  /** What this program knows of the file's schema; absent where nobody asks. */
  readonly migrations?: Migrations;
  /** Whether the last run closed the file. */
  readonly closed: boolean;
}

/**
 * @throws DataFolderError with the fault, the file, and the newest backup where there is one. The file is not changed.
 */
export function inspect(path: string, { migrations, closed }: Inspection): void {
  inspectBytes(path);
  telling(path, () =>
    closing(connectToLook(path), (database) => {
      const version = Number(database.pragma('user_version', { simple: true }));
      if (migrations && version > migrations.length) throw fault('newer', path);
      const check = !closed || statSync(path).size <= alwaysChecked;
      if (check && database.pragma('quick_check(1)', { simple: true }) !== 'ok') throw fault('damaged', path);
      const strange = migrations ? strangeObjects(database, migrations.slice(0, version)) : [];
      if (strange.length > 0) throw otherSchema(path, strange);
    }),
  );
}

/** Does work with a database's file; what the driver or the system throws is told as a fault of the file. */
export function telling<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof DataFolderError ? error : fault(faultOf(error), path, error);
  }
}

/**
 * What header and size tell alone; no connection is opened.
 *
 * @throws DataFolderError where one of them is wrong, or the file cannot be written.
 */
export function inspectBytes(path: string): void {
  const { size } = statSync(path);
  if (size === 0) throw fault('empty', path);
  const header = headerOf(path);
  const start = header.toString('latin1', 0, magic.length);
  if (!magic.startsWith(start)) throw fault('foreign', path);
  if (header.length < headerBytes) throw fault('truncated', path);
  // A log that was not yet carried over may hold the pages that the header counts.
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

/** SQLite file format, section 1.3.2: 1 stands for 65,536. */
function pageSizeOf(header: Buffer): number {
  const size = header.readUInt16BE(16);
  return size === 1 ? 65_536 : size;
}

function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

const faults: readonly (readonly [codes: RegExp, fault: FolderFault])[] = [
  [/^SQLITE_(BUSY|LOCKED)/, 'in-use'],
  [/^SQLITE_(NOTADB|CORRUPT)/, 'damaged'],
  [/^SQLITE_READONLY/, 'read-only'],
  [/^(ENOTDIR|EEXIST)$/, 'not-a-folder'],
  [/^(EACCES|EPERM|EROFS)$/, 'closed-folder'],
];

/** What a fault of the driver, or of the system, says about the file. */
export function faultOf(error: unknown): FolderFault {
  return faults.find(([codes]) => codes.test(codeOf(error)))?.[1] ?? 'unusable';
}

const left = 'It was left as it is.';

const sentences: Readonly<Record<FolderFault, (path: string) => string>> = {
  'in-use': (path) =>
    `${path} is in use by another Chartkeeper. Close that one, or choose another folder with --data.`,
  newer: (path) =>
    `${path} was written by a newer Chartkeeper. Install that version, or choose another folder with --data.`,
  empty: (path) => `${path} is empty, which no Chartkeeper leaves behind. ${left}`,
  foreign: (path) => `${path} is not a database of Chartkeeper. ${left}`,
  truncated: (path) => `${path} is cut off: its end is missing. ${left}`,
  damaged: (path) => `${path} is damaged. ${left}`,
  'read-only': (path) => `${path} cannot be written. Check its owner and permissions.`,
  'other-schema': (path) =>
    `${path} holds other tables than its version says; a program that was never released wrote it. Choose another folder with --data. ${left}`,
  'not-a-folder': (path) =>
    `${dirname(path)} cannot be a data folder: a file stands in its place. Choose another one with --data.`,
  'closed-folder': (path) =>
    `${dirname(path)} cannot be made or entered. Check the owner and permissions of the folders above it, or choose another one with --data.`,
  'other-settings': (path) =>
    `${path} cannot be kept as safely as it must be. Choose a folder on a local disk with --data.`,
  missing: (path) =>
    `${path} is not there, but what belongs to it is: this is no new clinic. Nothing was made; \`chartkeeper serve --start-empty\` begins an empty one.`,
  'rotten-backup': (path) => `${path} holds texts that are not those that were written. ${left}`,
  unfinished: (path) =>
    `Records are being moved into ${dirname(path)}, and the move has not ended: run \`chartkeeper move\` again, with the same --from and --to.`,
  unusable: (path) => `${path} cannot be opened. Check the folder's owner and free space.`,
};

/** The fault of a schema, with what is not as it was made. */
function otherSchema(path: string, strange: readonly string[]): DataFolderError {
  const { fault: name, message } = fault('other-schema', path);
  const more = strange.length > namedObjects ? ` and ${strange.length - namedObjects} more` : '';
  const named = strange.slice(0, namedObjects).join(', ') + more;
  return new DataFolderError(name, `${message} Not as it was made: ${named}.`, { detail: named });
}

/** Objects of a schema that a sentence names. */
const namedObjects = 3;

const beyondRepair: readonly FolderFault[] = ['empty', 'foreign', 'truncated', 'damaged', 'missing'];

/** The error that tells a fault of a file, and the way out where there is one. */
export function fault(name: FolderFault, path: string, cause?: unknown): DataFolderError {
  const backup = beyondRepair.includes(name) ? newestBackup(path) : undefined;
  const way = beyondRepair.includes(name)
    ? backup === undefined
      ? ' There is no backup beside it; choose another folder with --data.'
      : ` The newest backup is ${backup}; \`chartkeeper restore\` puts it in place.`
    : '';
  return new DataFolderError(name, sentences[name](path) + way, { cause });
}
