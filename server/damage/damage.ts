/**
 * server/damage: stored texts that fail their checksums, found by requests and the scrub. Called by the
 * routes and the start.
 *
 * Invariant: listed versions are still damaged.
 */
import type { DamagedVersion, DamageList, DamageState, IntactCopy } from '../../core/app/damage.ts';
import type { VersionName } from '../store/checksum.ts';
import type { DamageStore } from '../store/damage.ts';
import type { Leases } from '../store/leases.ts';
import type { DamageNotes, NotedDamage } from '../workspace/damage-notes.ts';
import { createScrub, type ScrubDependencies } from './scrub.ts';

export interface DamageDependencies extends Omit<ScrubDependencies, 'damage' | 'leases' | 'notes'> {
  readonly store: { readonly damage: DamageStore; readonly leases: Leases };
  readonly notes: DamageNotes;
  /** Returns the backups with an intact copy of each version or of its predecessor. No backups if omitted. */
  readonly listCopies?: (names: readonly VersionName[]) => Promise<readonly (readonly IntactCopy[])[]>;
}

export type Damage = ReturnType<typeof createDamage>;

/** Limit of listed versions. Beyond it, a full restore is the way to repair. */
const maxListed = 500;

export function createDamage({
  store,
  notes,
  listCopies: copiesOf = listNoCopies,
  ...options
}: DamageDependencies) {
  const { clock, log } = options;
  let pending: NotedDamage[] = [];
  const scrub = createScrub({ damage: store.damage, leases: store.leases, notes, ...options });

  store.damage.onNoticed(({ type, id, version }) => {
    const notedDamage = { type, id, version, noticed: clock() };
    if (notes.has(notedDamage) || pending.some((pendingDamage) => isSame(pendingDamage, notedDamage))) return;
    // Saved later, because the reader is in the middle of a response or commit.
    if (pending.length === 0) {
      if (notes.isEmpty()) log('a stored text is damaged; see /app/damage, or run chartkeeper repair');
      globalThis.setImmediate(save);
    }
    pending.push(notedDamage);
  });

  function listNoted(): readonly NotedDamage[] {
    return [...notes.all(), ...pending];
  }

  function save(): void {
    try {
      notes.add(pending);
    } catch {
      // The disk is not writable. The next scrub finds the damage again.
    }
    pending = [];
  }

  /** Returns versions that are still damaged and removes the others from the list. */
  async function listCurrent(): Promise<{ readonly notedDamage: NotedDamage; readonly current: boolean }[]> {
    const candidates = listNoted().slice(0, maxListed);
    const states = candidates.length === 0 ? [] : await store.damage.statesOf(candidates);
    return candidates.flatMap((notedDamage, index) => {
      const state = states[index];
      if (state) return [{ notedDamage, current: state === 'current' }];
      notes.remove(notedDamage);
      return [];
    });
  }

  return {
    async list(): Promise<DamageList> {
      const currentDamage = await listCurrent();
      const copies = await copiesOf(currentDamage.map(({ notedDamage }) => notedDamage));
      const records = currentDamage.map(
        ({ notedDamage: { type, id, version, noticed: noticedAtMs }, current }, index): DamagedVersion => ({
          type,
          id,
          version,
          current,
          noticed: new Date(noticedAtMs).toISOString(),
          backups: (copies[index] ?? []).toSorted(
            (leftCopy, rightCopy) => rightCopy.version - leftCopy.version,
          ),
        }),
      );
      return { scrub: scrub.state(), records };
    },

    async state(): Promise<DamageState> {
      return { records: (await listCurrent()).filter(({ current }) => current).length, scrub: scrub.state() };
    },

    /** Returns the noted versions of a record, repaired or not. */
    listNotedVersions: (type: string, id: string): readonly VersionName[] =>
      listNoted().filter((notedDamage) => notedDamage.type === type && notedDamage.id === id),

    /** Restarts the scrub at the first text. */
    scrub: (): void => scrub.begin(),

    /** Resolves when no scrub is running. */
    idle: () => scrub.idle(),

    /** Stops after the current slice. The next start continues. */
    async close(): Promise<void> {
      await scrub.close();
      save();
    },
  };
}

function isSame(leftName: VersionName, rightName: VersionName): boolean {
  return (
    leftName.type === rightName.type && leftName.id === rightName.id && leftName.version === rightName.version
  );
}

function listNoCopies(): Promise<readonly (readonly IntactCopy[])[]> {
  return Promise.resolve([]);
}
