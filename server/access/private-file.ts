import { readFile } from 'node:fs/promises';

/** Whether other accounts may read or write a file of this mode. Windows has no such bits: the user's folder is closed to others. */
export function isOpenToOthers(mode: number): boolean {
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}

/**
 * The text of a file that a flag names.
 *
 * @throws Error with a sentence where it cannot be read.
 */
export async function textOfFlag(flag: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new Error(`${flag}: ${file} cannot be read: it is not there, or this account may not read it.`);
  }
}
