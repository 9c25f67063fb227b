/**
 * Creates the folder of the tests in memory, so that they do not wait for the disk: a thousand stores sync
 * their writes.
 */
import { chmodSync, existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** Type number of a memory file system in Linux. */
const tmpfs = 0x01021994;

/** Required free bytes. The tests use only a part of them. */
const minFreeBytes = 6 * 2 ** 30;

/**
 * Creates a folder in memory that every user can write to, like the system's temporary folder. Returns
 * undefined if `place` is not in a memory file system, or if it or the machine has too little space.
 */
export function makeMemoryFolder(parent = '/dev/shm'): string | undefined {
  if (!existsSync(parent) || !isInMemory(parent)) return undefined;
  const { bavail, bsize } = statfsSync(parent);
  if (bavail * bsize < minFreeBytes || process.availableMemory() < minFreeBytes) return undefined;
  const folder = mkdtempSync(join(parent, 'chartkeeper-tests-'));
  chmodSync(folder, 0o1777);
  return folder;
}

/** Returns true if a folder is in a memory file system of Linux. */
export function isInMemory(folder: string): boolean {
  return statfsSync(folder).type === tmpfs;
}
