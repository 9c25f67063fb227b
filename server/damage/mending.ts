import { setImmediate } from 'node:timers/promises';
import { etagOf } from '../../core/api/precondition.ts';
import type { WholeCopy } from '../../core/app/damage.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { noSuchRecord } from '../fhir/faults.ts';
import type { RecordService } from '../fhir/service.ts';
import { listBackups } from '../store/sqlite/backup-folder.ts';
import type { VersionName } from '../store/checksum.ts';
import { writingOf } from '../store/doer.ts';
import type { Doer, RecordStore, StoredVersion, VersionFacts } from '../store/store.ts';
import { wholeVersionsIn } from '../store/sqlite/whole-copies.ts';
import type { Damage } from './damage.ts';

export interface MendingParts {
  readonly store: Pick<RecordStore, 'read' | 'damage'>;
  readonly service: Pick<RecordService, 'mend'>;
  readonly damage: Pick<Damage, 'knownOf'>;
  /** Path of the records' database, whose backups are looked at. */
  readonly records: string;
}

export type Mending = ReturnType<typeof createMending>;

/** Puts a backup's text in the place of a damaged one. */
export function createMending({ store, service, damage, records }: MendingParts) {
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
    const names = damage.knownOf(type, id);
    const copies = wholeVersionsIn(backup, names);
    const states = await store.damage.statesOf(names);
    let back = 0;
    for (const [index, name] of names.entries()) {
      const copy = copies[index];
      if (copy?.version !== name.version || states[index] !== 'older') continue;
      if (await store.damage.putBack(name, copy.text)) back += 1;
    }
    return back;
  }

  return {
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
  };
}

/** Of each version, the backups of a database that hold it whole, or the newest before it; the newest backup first. */
export async function copiesIn(records: string, names: readonly VersionName[]): Promise<WholeCopy[][]> {
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
