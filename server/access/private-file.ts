import { readFile } from 'node:fs/promises';

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
