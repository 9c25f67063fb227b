/** A copy out of a zip keeps what it writes beside itself, so that it can be carried along and leaves nothing behind. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { app } from 'electron';

/** Lies beside the archive of a portable copy alone (electron-builder-portable.yml). */
const marker = 'portable.txt';
const folderName = 'Chartkeeper data';

/** Folder of a portable copy's data, beside what the user sees as the program; undefined for an installed one. */
export function portableFolder({
  resourcesPath,
  execPath,
  platform,
}: Pick<NodeJS.Process, 'resourcesPath' | 'execPath' | 'platform'>): string | undefined {
  if (!existsSync(join(resourcesPath, marker))) return undefined;
  // Chartkeeper.app/Contents/MacOS/Chartkeeper
  const levels = platform === 'darwin' ? '../../..' : '';
  return join(dirname(execPath), levels, folderName);
}

/**
 * Sends everything that Electron and the shell write to the folder of a portable copy, and returns whether this is one.
 * Call it first: the lock of the single instance lies there too. Throws as `node:fs` does where the folder cannot be made:
 * records that went elsewhere would be missed at the next start.
 */
export function setupPortable(): boolean {
  const folder = portableFolder(process);
  if (folder === undefined) return false;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  app.setPath('userData', folder);
  app.setAppLogsPath(join(folder, 'logs'));
  return true;
}
