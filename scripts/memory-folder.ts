/** Where tests write, so that none waits for a disk: each of a thousand stores syncs what it writes. */
import { chmodSync, existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** Linux's name for a file system in memory. */
const tmpfs = 0x01021994;

/** Bytes of which the tests take a part. */
const room = 6 * 2 ** 30;

/**
 * Makes a folder in memory, open to all as the system's own for temporary files is; undefined where there is no file
 * system in memory at `place`, or where it or the machine has no room.
 */
export function makeMemoryFolder(place = '/dev/shm'): string | undefined {
  if (!existsSync(place) || !isInMemory(place)) return undefined;
  const { bavail, bsize } = statfsSync(place);
  if (bavail * bsize < room || process.availableMemory() < room) return undefined;
  const folder = mkdtempSync(join(place, 'chartkeeper-tests-'));
  chmodSync(folder, 0o1777);
  return folder;
}

/** Returns whether a folder lies in a file system in memory, by the type that Linux names. */
export function isInMemory(folder: string): boolean {
  return statfsSync(folder).type === tmpfs;
}
