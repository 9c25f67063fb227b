import { setImmediate } from 'node:timers/promises';
import type { DamagedVersion } from '../../core/app/backups.ts';
import type { NamedBackup } from '../store/sqlite/backup-folder.ts';
import { heldWhole, unnamed } from '../store/sqlite/compare.ts';
import { readManifest } from '../store/sqlite/manifest.ts';

/**
 * Names of the backups that no thinning removes: for each version that one of these names as damaged, the newest that
 * holds it whole.
 */
export async function pinned(newestFirst: readonly NamedBackup[]): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  let wanted = damagedIn(newestFirst);
  for (const { name, path, kind } of newestFirst) {
    if (wanted.length === 0) break;
    if (kind === 'replaced') continue;
    const whole = heldWhole(path, wanted);
    if (whole.length > 0) names.add(name);
    wanted = unnamed(wanted, whole);
    await setImmediate();
  }
  return names;
}

function damagedIn(backups: readonly NamedBackup[]): readonly DamagedVersion[] {
  return backups.reduce<readonly DamagedVersion[]>((all, { path }) => {
    const damaged = readManifest(path)?.damaged ?? [];
    return damaged.length === 0 ? all : [...all, ...unnamed(damaged, all)];
  }, []);
}
