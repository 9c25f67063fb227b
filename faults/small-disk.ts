import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A small separate disk. */
export interface SmallDisk {
  readonly path: string;
  /** Fills the remaining space, to the last byte. */
  fill(): Promise<void>;
  /** Frees the space that `fill` used. */
  empty(): Promise<void>;
  /** Sets the size of the disk in bytes. */
  resize(bytes: number): Promise<void>;
}

/**
 * Mounts a disk of a number of bytes for some work. Returns false if it cannot be mounted. Mounting needs
 * root on Linux.
 */
export async function onSmallDisk(
  folder: string,
  bytes: number,
  work: (disk: SmallDisk) => Promise<void>,
): Promise<boolean> {
  const path = join(folder, 'disk');
  await mkdir(path);
  if (!(await command('mount', '-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path))) return false;
  try {
    await work({
      path,
      fill: () => fill(path),
      empty: () => empty(path),
      resize: async (size) => {
        await command('mount', '-o', `remount,size=${size}`, path);
      },
    });
  } finally {
    await command('umount', '--lazy', path);
  }
  return true;
}

/** Reason why a case was not run. */
export const noSmallDisk = 'No small disk can be mounted here; that takes root on Linux.';

const fillerSizes = [1024 * 1024, 4096, 1];

async function empty(path: string): Promise<void> {
  for (const bytes of fillerSizes) await rm(join(path, `filler-${bytes}`), { force: true });
}

async function fill(path: string): Promise<void> {
  for (const bytes of fillerSizes) {
    try {
      for (;;) await appendFile(join(path, `filler-${bytes}`), Buffer.alloc(bytes));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    }
  }
}

async function command(name: string, ...parameters: string[]): Promise<boolean> {
  try {
    const [code] = (await once(spawn(name, parameters, { stdio: 'ignore' }), 'exit')) as [number | null];
    return code === 0;
  } catch {
    return false;
  }
}
