import { setImmediate } from 'node:timers/promises';
import type { BackupKind, DamagedVersion } from '../../core/app/backups.ts';
import { listBackups, removeBackup, type NamedBackup } from '../sqlite/backup-folder.ts';
import { hasIntactCopy, unnamed } from '../sqlite/compare.ts';
import { readManifest } from '../sqlite/manifest.ts';

/** Number of retained backups per database. */
export const retentionLimits = { today: 3, timed: 10, others: 10, replaced: 3 } as const;

interface Dated {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly kind: BackupKind;
}

/** Removes backups by the retention rules, except backups with the only intact copy of a text. */
export async function pruneBackups(path: string, now: number): Promise<void> {
  for (const backup of await removable(listBackups(path), now)) removeBackup(backup.path);
}

/**
 * Returns the backups that the retention rules remove. Expects newest first. Keeps backups with the only intact copy of
 * a text.
 */
export async function removable(
  newestFirst: readonly NamedBackup[],
  now: number,
): Promise<readonly NamedBackup[]> {
  const pinnedNames = await pinned(newestFirst);
  return toRemove(newestFirst, now).filter(({ name }) => !pinnedNames.has(name));
}

/**
 * Returns the backups that the retention rules remove, without regard to their content. Expects the order of writing,
 * newest first. The latest backup always stays. Timed backups: the latest three of today and the latest of each other
 * day, ten at most; those of today come first, also after the clock was set back. Other backups are counted separately:
 * the latest ten. Databases that command-line restores replaced: the latest three.
 */
export function toRemove<Item extends Dated>(newestFirst: readonly Item[], now: number): readonly Item[] {
  const timed = newestFirst.filter(({ kind }) => kind === 'timed');
  const replacedBackups = newestFirst.filter(({ kind }) => kind === 'replaced');
  const otherBackups = newestFirst.filter(({ kind }) => kind !== 'timed' && kind !== 'replaced');
  const ofToday = timed.filter(({ time }) => dayOf(time) === dayOf(now)).slice(0, retentionLimits.today);
  const ofDays = [...firstOfDays(timed).entries()].filter(([day]) => day !== dayOf(now));
  const retainedBackups = new Set<Item>([
    ...[...ofToday, ...ofDays.map(([, item]) => item)].slice(0, retentionLimits.timed),
    ...otherBackups.slice(0, retentionLimits.others),
    ...replacedBackups.slice(0, retentionLimits.replaced),
  ]);
  return newestFirst.filter((item) => !retainedBackups.has(item));
}

/** Returns the first backup of each day, in the given order. */
function firstOfDays<Item extends Dated>(backups: readonly Item[]): ReadonlyMap<string, Item> {
  const days = new Map<string, Item>();
  for (const backup of backups) if (!days.has(dayOf(backup.time))) days.set(dayOf(backup.time), backup);
  return days;
}

/** Returns the local calendar day of a time. */
function dayOf(time: number): string {
  return new Date(time).toDateString();
}

/**
 * Returns the names of backups that must not be removed: for each known damaged version, the latest backup with an
 * intact copy.
 */
async function pinned(newestFirst: readonly NamedBackup[]): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  let missingVersions = listDamaged(newestFirst);
  for (const { name, path, kind } of newestFirst) {
    if (missingVersions.length === 0) break;
    if (kind === 'replaced') continue;
    const intactVersions = hasIntactCopy(path, missingVersions);
    if (intactVersions.length > 0) names.add(name);
    missingVersions = unnamed(missingVersions, intactVersions);
    await setImmediate();
  }
  return names;
}

function listDamaged(backups: readonly NamedBackup[]): readonly DamagedVersion[] {
  return backups.reduce<readonly DamagedVersion[]>((knownVersions, { path }) => {
    const damagedVersions = readManifest(path)?.damaged ?? [];
    return damagedVersions.length === 0
      ? knownVersions
      : [...knownVersions, ...unnamed(damagedVersions, knownVersions)];
  }, []);
}
