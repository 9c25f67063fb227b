import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Returns true if other accounts can read or write a file with this mode. Windows has no such bits, but its
 * user folders are private.
 */
export function isAccessibleToOthers(mode: number): boolean {
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}

/**
 * Reads the file of a flag.
 *
 * @throws Error with a message for users if it can't be read.
 */
export async function readFlagFile(flag: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new Error(`${flag}: ${file} doesn’t exist, or you don’t have permission to read it.`);
  }
}

/**
 * Replaces a file that only this user can read. Writes a temporary file and renames it, so that a crash leaves the old or
 * the new file.
 */
export async function replacePrivateFile(path: string, text: string): Promise<void> {
  const temporaryPath = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    const file = await open(temporaryPath, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporaryPath, path);
  } catch (error) {
    await rm(temporaryPath, { force: true });
    throw error;
  }
}
