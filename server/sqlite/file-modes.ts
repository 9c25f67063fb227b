import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { defineMessages } from '../../core/text/message.ts';
import { backupsOf, listBackups } from './backup-folder.ts';
import { DataFolderError } from './data-folder-error.ts';

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
export function restrictToOwner(path: string): void {
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
