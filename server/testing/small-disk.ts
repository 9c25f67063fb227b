import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * Mounts a disk of `size` (for example `4m`) and returns its folder; unmounts it after the test. Skips the test if mounting
 * is impossible: it needs root on Linux.
 */
export function smallDisk(size: string, skip: (note: string) => never): string {
  const disk = mkdtempSync(join(tmpdir(), 'chartkeeper-full-'));
  const mounted =
    process.platform === 'linux' &&
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', disk]).status === 0;
  onTestFinished(() => {
    if (mounted) spawnSync('umount', ['--lazy', disk]);
    rmSync(disk, { recursive: true, force: true });
  });
  return mounted ? disk : skip('nothing can be mounted here');
}
