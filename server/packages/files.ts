import { existsSync, readdirSync, statSync } from 'node:fs';
import { chmod, lstat, rm } from 'node:fs/promises';
import { isGzip } from './archive.ts';

/**
 * Prefix of temporary files: packages that are being added or removed, or that an interruption left behind.
 */
export const passing = '.passing-';

/** Lists the names in a folder; empty if it does not exist. */
export function namesIn(path: string): string[] {
  return existsSync(path) ? readdirSync(path).sort() : [];
}

/** A file that another program has open is removed at the next refresh. */
export async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => undefined);
}

/**
 * Restricts the mode of files that were copied by hand. Returns false for a link, which leads elsewhere.
 */
export async function restrictToOwner(path: string): Promise<boolean> {
  const status = await lstat(path);
  if (status.isSymbolicLink()) return false;
  if (process.platform !== 'win32')
    await chmod(path, status.isDirectory() ? 0o700 : 0o600).catch(() => undefined);
  return true;
}

/** Returns the file name ending of a package; an unpacked one has none. */
export async function endingOf(path: string): Promise<string> {
  if (statSync(path).isDirectory()) return '';
  return (await isGzip(path)) ? '.tgz' : '.tar';
}
