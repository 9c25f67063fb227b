import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * A folder on a disk of `size`, `4m` for one, that is taken away behind the test. Where nothing can be mounted, which wants
 * root on Linux, the test is skipped.
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
