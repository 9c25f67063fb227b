/**
 * server/damage knows which stored texts fail their checksums: whoever met one, and the scrub that reads all. Called by the
 * routes and by the start. Invariant: what is listed is damaged still.
 */
import type { DamagedVersion, DamageList, DamageState, WholeCopy } from '../../core/app/damage.ts';
import type { VersionName } from '../store/checksum.ts';
import type { DamageStore } from '../store/damage.ts';
import type { DamageNotes, NotedDamage } from '../workspace/damage-notes.ts';
import { createScrub, type ScrubParts } from './scrub.ts';

export interface DamageParts extends Omit<ScrubParts, 'damage' | 'notes'> {
  readonly store: { readonly damage: DamageStore };
  readonly notes: DamageNotes;
  /** Of each version, the backups that hold it whole, or the newest before it; none where absent. */
  readonly copiesOf?: (names: readonly VersionName[]) => Promise<readonly (readonly WholeCopy[])[]>;
}

export type Damage = ReturnType<typeof createDamage>;

/** Versions that are listed at most: where there are more, it is the whole that is restored. */
const mostListed = 500;

export function createDamage({ store, notes, copiesOf = none, ...parts }: DamageParts) {
  const { clock, log } = parts;
  let unsaved: NotedDamage[] = [];
  const scrub = createScrub({ damage: store.damage, notes, ...parts });

  store.damage.onNoticed(({ type, id, version }) => {
    const noted = { type, id, version, noticed: clock() };
    if (notes.has(noted) || unsaved.some((one) => isSame(one, noted))) return;
    // Not at once: whoever reads it is in the midst of an answer, or of a commit.
    if (unsaved.length === 0) {
      if (notes.isEmpty()) log('a stored text is damaged; /app/damage names it, and chartkeeper repair');
      globalThis.setImmediate(save);
    }
    unsaved.push(noted);
  });

  function all(): readonly NotedDamage[] {
    return [...notes.all(), ...unsaved];
  }

  function save(): void {
    try {
      notes.add(unsaved);
    } catch {
      // A disk that takes nothing now: the next scrub finds them again.
    }
    unsaved = [];
  }

  /** Those that are damaged still; the others are forgotten. */
  async function standing(): Promise<{ readonly noted: NotedDamage; readonly current: boolean }[]> {
    const listed = all().slice(0, mostListed);
    const states = listed.length === 0 ? [] : await store.damage.statesOf(listed);
    return listed.flatMap((noted, at) => {
      const state = states[at];
      if (state) return [{ noted, current: state === 'current' }];
      notes.remove(noted);
      return [];
    });
  }

  return {
    async list(): Promise<DamageList> {
      const found = await standing();
      const copies = await copiesOf(found.map(({ noted }) => noted));
      const listed = found.map(
        ({ noted: { type, id, version, noticed }, current }, index): DamagedVersion => ({
          ...{ type, id, version, current, noticed: new Date(noticed).toISOString() },
          backups: (copies[index] ?? []).toSorted((one, other) => other.version - one.version),
        }),
      );
      return { scrub: scrub.state(), records: listed };
    },

    async state(): Promise<DamageState> {
      return { records: (await standing()).filter(({ current }) => current).length, scrub: scrub.state() };
    },

    /** What is known of a record, damaged still or not. */
    knownOf: (type: string, id: string): readonly VersionName[] =>
      all().filter((one) => one.type === type && one.id === id),

    /** Reads all texts from the first on, from now. */
    scrub: (): void => scrub.begin(),

    /** Resolves once no scrub is under way. */
    idle: () => scrub.idle(),

    /** Ends behind the slice under way; the next start goes on. */
    async close(): Promise<void> {
      await scrub.close();
      save();
    },
  };
}

function isSame(one: VersionName, other: VersionName): boolean {
  return one.type === other.type && one.id === other.id && one.version === other.version;
}

function none(): Promise<readonly (readonly WholeCopy[])[]> {
  return Promise.resolve([]);
}
