import { existsSync, readdirSync, statSync } from 'node:fs';
import { chmod, lstat, rm } from 'node:fs/promises';
import { isGzip } from './archive.ts';

/** How the name of a file begins that is being added or removed, or is left of that: it is nobody's. */
export const passing = '.passing-';

/** Names in a folder, none where it is not there. */
export function namesIn(path: string): string[] {
  return existsSync(path) ? readdirSync(path).sort() : [];
}

/** What cannot go now, as another program holds it, is swept by the next look. */
export async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => undefined);
}

/** What was copied here by hand has the modes that it came with. False for a link, which leads elsewhere. */
export async function closeToOthers(path: string): Promise<boolean> {
  const found = await lstat(path);
  if (found.isSymbolicLink()) return false;
  if (process.platform !== 'win32')
    await chmod(path, found.isDirectory() ? 0o700 : 0o600).catch(() => undefined);
  return true;
}

/** How a package's name ends in the folder; an unpacked one has no ending. */
export async function endingOf(path: string): Promise<string> {
  if (statSync(path).isDirectory()) return '';
  return (await isGzip(path)) ? '.tgz' : '.tar';
}
