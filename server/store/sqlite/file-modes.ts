import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { backupsOf, listBackups } from './backup-folder.ts';
import { DataFolderError } from './data-folder-error.ts';

/** What a data folder holds where nothing else is in it. */
const own = /^((records|workspace|text)\.db.*|backups|packages|remote|moved?\.json|sign-in-.*)$/;

/** Windows has no such modes; its folders of programs are the user's own. */
const hasModes = process.platform !== 'win32';

/**
 * Makes a database's files readable by their owner alone: 0600, and 0700 for the folders. A folder that holds other
 * things too, or is another user's, is left as it is.
 */
export function closeToOthers(path: string): void {
  if (hasModes) for (const [file, mode] of modesOf(path)) chmodSync(file, mode);
}

/** @throws DataFolderError where a file or folder is open to others in spite of that, as on a disk without modes. */
export function assertClosedToOthers(path: string): void {
  if (!hasModes) return;
  for (const [file, mode] of modesOf(path)) {
    const found = statSync(file).mode & 0o777;
    if (found === mode) continue;
    throw new DataFolderError(
      'other-settings',
      `${file} cannot be closed to other users of this machine: its mode is ${found.toString(8)}, and ${mode.toString(8)} is needed. Choose a folder on a local disk with --data.`,
    );
  }
}

/** What belongs to a database, with the mode that it must have. */
function modesOf(path: string): readonly (readonly [file: string, mode: number])[] {
  const ends = ['', '-wal', '-shm', '-lock'];
  const files = [...ends.map((end) => path + end), ...listBackups(path).map((backup) => backup.path)];
  const folders = [backupsOf(path), ...(isOwn(dirname(path)) ? [dirname(path)] : [])];
  const all = [...folders.map((one) => [one, 0o700] as const), ...files.map((one) => [one, 0o600] as const)];
  return all.filter(([file]) => existsSync(file));
}

/** Whether the folder is this user's, and Chartkeeper's alone. */
function isOwn(folder: string): boolean {
  if (statSync(folder).uid !== process.getuid?.()) return false;
  return readdirSync(folder).every((name) => own.test(name));
}
