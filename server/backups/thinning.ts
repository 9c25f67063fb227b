import { setImmediate } from 'node:timers/promises';
import type { BackupKind, DamagedVersion } from '../../core/app/backups.ts';
import { listBackups, removeBackup, type NamedBackup } from '../store/sqlite/backup-folder.ts';
import { heldWhole, unnamed } from '../store/sqlite/compare.ts';
import { readManifest } from '../store/sqlite/manifest.ts';

/** How many backups of one database are kept. */
export const kept = { today: 3, timed: 10, others: 10, replaced: 3 } as const;

interface Dated {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly kind: BackupKind;
}

/** Removes the backups of a database that are no longer needed, but for those that alone hold a text whole. */
export async function thin(path: string, now: number): Promise<void> {
  for (const one of await removable(listBackups(path), now)) removeBackup(one.path);
}

/** The backups, given newest first, that are no longer needed, but for those that alone hold a text whole. */
export async function removable(
  newestFirst: readonly NamedBackup[],
  now: number,
): Promise<readonly NamedBackup[]> {
  const stays = await pinned(newestFirst);
  return toRemove(newestFirst, now).filter(({ name }) => !stays.has(name));
}

/**
 * The backups, given newest first by the order of their writing, that are no longer needed: never the newest one, whatever
 * the clock says. Of those that the clock made, the newest three of today stay and the newest of
 * each other day, ten at most; today's come first, even where the clock was set back. Those that were asked for, or
 * that stand before a migration, a reset or a restore, are counted apart: the newest ten of them stay, however many the
 * clock makes meanwhile. Of what restores at the command line have replaced, which pushes out no backup, the newest three.
 */
export function toRemove<One extends Dated>(newestFirst: readonly One[], now: number): readonly One[] {
  const timed = newestFirst.filter(({ kind }) => kind === 'timed');
  const replaced = newestFirst.filter(({ kind }) => kind === 'replaced');
  const others = newestFirst.filter(({ kind }) => kind !== 'timed' && kind !== 'replaced');
  const ofToday = timed.filter(({ time }) => dayOf(time) === dayOf(now)).slice(0, kept.today);
  const ofDays = [...firstOfDays(timed).entries()].filter(([day]) => day !== dayOf(now));
  const staying = new Set<One>([
    ...[...ofToday, ...ofDays.map(([, one]) => one)].slice(0, kept.timed),
    ...others.slice(0, kept.others),
    ...replaced.slice(0, kept.replaced),
  ]);
  return newestFirst.filter((one) => !staying.has(one));
}

/** The first of each day, in the given order. */
function firstOfDays<One extends Dated>(backups: readonly One[]): ReadonlyMap<string, One> {
  const days = new Map<string, One>();
  for (const one of backups) if (!days.has(dayOf(one.time))) days.set(dayOf(one.time), one);
  return days;
}

/** A day as the clock on the wall has it. */
function dayOf(time: number): string {
  return new Date(time).toDateString();
}

/**
 * Names of the backups that no thinning removes: for each version that one of these names as damaged, the newest that
 * holds it whole.
 */
async function pinned(newestFirst: readonly NamedBackup[]): Promise<ReadonlySet<string>> {
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
