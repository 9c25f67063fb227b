/** A copy from the zip stores its files next to itself, so that it can be moved and leaves nothing behind. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { app } from 'electron';

/** Exists only next to the archive of a portable copy (electron-builder-portable.yml). */
const marker = 'portable.txt';
const folderName = 'Chartkeeper data';

/**
 * Returns the data folder of a portable copy, next to the visible program, or undefined for an installed one.
 */
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
 * Moves all files of Electron and the shell to the folder of a portable copy. Returns true for such a copy.
 * Must be called first, because the lock of the single instance is there too.
 *
 * @throws the error of `node:fs` if the folder cannot be created: records stored elsewhere would be missed at
 * the next start.
 */
export function setupPortable(): boolean {
  const folder = portableFolder(process);
  if (folder === undefined) return false;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  app.setPath('userData', folder);
  app.setAppLogsPath(join(folder, 'logs'));
  return true;
}
