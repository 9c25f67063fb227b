/**
 * server/damage knows which stored texts fail their checksums: whoever met one, and the scrub that reads all. It puts a
 * backup's text in the place of one. Called by the routes and by the start. Invariant: what is listed is damaged still.
 */
import { setImmediate } from 'node:timers/promises';
import { etagOf } from '../../core/api/precondition.ts';
import type { DamagedVersion, DamageList, DamageState, WholeCopy } from '../../core/app/damage.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { Every } from '../backups/backups.ts';
import { noSuchRecord } from '../fhir/faults.ts';
import type { RecordService } from '../fhir/service.ts';
import { listBackups } from '../store/backup-folder.ts';
import type { VersionName } from '../store/checksum.ts';
import type { Doer, RecordStore, StoredVersion, VersionFacts } from '../store/store.ts';
import { writingOf } from '../store/doer.ts';
import { wholeVersionsIn } from '../store/whole-copies.ts';
import type { DamageNotes, NotedDamage } from '../workspace/damage-notes.ts';
import { createScrub } from './scrub.ts';

export interface DamageParts {
  readonly store: RecordStore;
  readonly service: Pick<RecordService, 'mend'>;
  readonly notes: DamageNotes;
  /** Path of the records' database, whose backups are looked at. */
  readonly records: string;
  readonly clock: () => number;
  readonly every: Every;
  readonly log: (line: string) => void;
}

export type Damage = ReturnType<typeof createDamage>;

/** Versions that are listed at most: where there are more, it is the whole that is restored. */
const mostListed = 500;

export function createDamage({ store, service, notes, records, clock, every, log }: DamageParts) {
  const known = new Map<string, NotedDamage>(notes.all().map((one) => [keyOf(one), one]));
  let unsaved: NotedDamage[] = [];
  const scrub = createScrub({ store, notes, clock, every, log });

  store.damage.onNoticed((name) => {
    if (known.has(keyOf(name))) return;
    const { type, id, version } = name;
    const noted = { type, id, version, noticed: clock() };
    if (known.size === 0) log('a stored text is damaged; /app/damage names it, and chartkeeper repair');
    known.set(keyOf(name), noted);
    // Not at once: whoever reads it is in the midst of an answer, or of a commit.
    if (unsaved.length === 0) globalThis.setImmediate(save);
    unsaved.push(noted);
  });

  function save(): void {
    try {
      notes.add(unsaved);
    } catch {
      // A disk that takes nothing now: the next scrub finds them again.
    }
    unsaved = [];
  }

  /** Those that are damaged still; the others are forgotten. */
  function standing(): { readonly noted: NotedDamage; readonly current: boolean }[] {
    return [...known.values()].slice(0, mostListed).flatMap((noted) => {
      const state = store.damage.stateOf(noted);
      if (state) return [{ noted, current: state === 'current' }];
      known.delete(keyOf(noted));
      notes.remove(noted);
      return [];
    });
  }

  return {
    async list(): Promise<DamageList> {
      const found = standing();
      const copies = await copiesOf(found.map(({ noted }) => noted));
      const listed = found.map(
        ({ noted: { type, id, version, noticed }, current }, index): DamagedVersion => ({
          ...{ type, id, version, current, noticed: new Date(noticed).toISOString() },
          backups: (copies[index] ?? []).toSorted((one, other) => other.version - one.version),
        }),
      );
      return { scrub: scrub.state(), records: listed };
    },

    state(): DamageState {
      return { records: standing().filter(({ current }) => current).length, scrub: scrub.state() };
    },

    /** Reads all texts from the first on, from now. */
    scrub: (): void => scrub.begin(),

    /**
     * Mends a record from a backup: its current version, where that is damaged, with the backup's text as a new version;
     * older ones with the text that bears their checksum. Answers the record as it stands then.
     *
     * @throws FhirError `not-found` where there is no such record or backup, `not-offered` where nothing of the record is
     *   damaged, or the backup does not hold it whole.
     */
    async mend(type: ResourceType, id: string, backup: string, doer: Doer): Promise<StoredVersion> {
      const standing = await store.read(type, id);
      if (!standing) throw noSuchRecord(type);
      const chosen = listBackups(records).find(({ name }) => name === backup);
      if (!chosen) throw new FhirError('not-found', { text: 'There is no backup of this name.' });
      const mended = 'fault' in standing ? await mendCurrent(type, standing, chosen.path, doer) : standing;
      const back = await putBack(type, id, chosen.path);
      if (!('fault' in standing) && back === 0) throw nothingToMend(type);
      return mended;
    },

    /** Resolves once no scrub is under way. */
    idle: () => scrub.idle(),

    /** Ends behind the slice under way; the next start goes on. */
    async close(): Promise<void> {
      await scrub.close();
      save();
    },
  };

  async function mendCurrent(
    type: ResourceType,
    { id, version }: VersionFacts,
    backup: string,
    doer: Doer,
  ): Promise<StoredVersion> {
    const [copy] = wholeVersionsIn(backup, [{ type, id, version }]);
    if (!copy) throw notHeld(type);
    const { text } = copy;
    const mended = await service.mend({ type, id, text, ...writingOf(doer), ifMatch: etagOf(version) });
    return mended.version;
  }

  /** Puts the texts of older versions back that are known to be damaged; answers how many. */
  async function putBack(type: ResourceType, id: string, backup: string): Promise<number> {
    const names = [...known.values()].filter((one) => one.type === type && one.id === id);
    const copies = wholeVersionsIn(backup, names);
    let back = 0;
    for (const [index, name] of names.entries()) {
      const copy = copies[index];
      if (copy?.version !== name.version || store.damage.stateOf(name) !== 'older') continue;
      if (await store.damage.putBack(name, copy.text)) back += 1;
    }
    return back;
  }

  /** Of each version, the backups that hold it whole, or the newest before it; the newest backup first. */
  async function copiesOf(names: readonly VersionName[]): Promise<WholeCopy[][]> {
    const copies: WholeCopy[][] = names.map(() => []);
    if (names.length === 0) return copies;
    for (const { name, path, time } of listBackups(records)) {
      for (const [index, found] of wholeVersionsIn(path, names).entries()) {
        if (found) copies[index]?.push({ name, version: found.version, time: new Date(time).toISOString() });
      }
      // Other requests go between two backups.
      await setImmediate();
    }
    return copies;
  }
}

function keyOf({ type, id, version }: VersionName): string {
  return `${type}/${id}/${version}`;
}

function nothingToMend(type: ResourceType): FhirError {
  return new FhirError('not-offered', {
    text: `Nothing of this ${type} is damaged that this backup could mend. Nothing was changed.`,
  });
}

function notHeld(type: ResourceType): FhirError {
  return new FhirError('not-offered', {
    text: `This backup does not hold the ${type} whole. Nothing was changed; choose another, or update (PUT) with the whole record.`,
  });
}
