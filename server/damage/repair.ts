import { setImmediate } from 'node:timers/promises';
import { etagOf } from '../../core/api/precondition.ts';
import type { IntactCopy } from '../../core/app/damage.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { defineMessages } from '../../core/text/message.ts';
import { noSuchRecord } from '../fhir/service-errors.ts';
import type { RecordService } from '../fhir/service.ts';
import { listBackups } from '../sqlite/backup-folder.ts';
import type { VersionName } from '../store/checksum.ts';
import { toAuthorship } from '../store/actor.ts';
import type { Actor, RecordStore, StoredVersion, VersionMetadata } from '../store/store.ts';
import { listIntactVersions } from '../sqlite/record-copies.ts';
import type { Damage } from './damage.ts';

const messages = defineMessages('damage', {
  noBackup: 'There is no backup with this name.',
  nothingToRepair: 'This backup can’t repair anything in this {type}. Nothing was changed.',
  notIntact:
    'This backup has no intact copy of the {type}. Nothing was changed. Choose another backup, or update (PUT) the whole record.',
});

export interface RepairDependencies {
  readonly store: Pick<RecordStore, 'read' | 'damage'>;
  readonly service: Pick<RecordService, 'mend'>;
  readonly damage: Pick<Damage, 'listNotedVersions'>;
  /** Path of the records database and its backups. */
  readonly recordsPath: string;
}

export type Repair = ReturnType<typeof createRepair>;

/** Creates the repair service, which replaces damaged texts with the texts of a backup. */
export function createRepair({ store, service, damage, recordsPath: records }: RepairDependencies) {
  async function repairCurrent(
    type: ResourceType,
    { id, version }: VersionMetadata,
    backup: string,
    actor: Actor,
  ): Promise<StoredVersion> {
    const [copy] = listIntactVersions(backup, [{ type, id, version }]);
    if (!copy) throw createNotIntactError(type);
    const { text } = copy;
    const repaired = await service.mend({ type, id, text, ...toAuthorship(actor), ifMatch: etagOf(version) });
    return repaired.version;
  }

  /** Restores damaged older versions. Returns their number. */
  async function restoreOlder(type: ResourceType, id: string, backup: string): Promise<number> {
    const names = damage.listNotedVersions(type, id);
    const copies = listIntactVersions(backup, names);
    const states = await store.damage.statesOf(names);
    let restoredCount = 0;
    for (const [index, name] of names.entries()) {
      const copy = copies[index];
      if (copy?.version !== name.version || states[index] !== 'older') continue;
      if (await store.damage.putBack(name, copy.text)) restoredCount += 1;
    }
    return restoredCount;
  }

  return {
    /**
     * Repairs a record from a backup and returns its current version.
     *
     * A damaged current version becomes a new version with the backup's text. Older versions get the text
     * that matches their checksum.
     *
     * @throws FhirError `not-found` for an unknown record or backup, `not-offered` if nothing is damaged or
     *   the backup has no intact copy.
     */
    async mend(type: ResourceType, id: string, backup: string, actor: Actor): Promise<StoredVersion> {
      const currentVersion = await store.read(type, id);
      if (!currentVersion) throw noSuchRecord(type);
      const selectedBackup = listBackups(records).find(({ name }) => name === backup);
      if (!selectedBackup) throw new FhirError('not-found', messages.noBackup());
      const repairedVersion =
        'fault' in currentVersion
          ? await repairCurrent(type, currentVersion, selectedBackup.path, actor)
          : currentVersion;
      const restoredCount = await restoreOlder(type, id, selectedBackup.path);
      if (!('fault' in currentVersion) && restoredCount === 0) throw createNothingToRepairError(type);
      return repairedVersion;
    },
  };
}

/**
 * Returns, for each version, the backups with an intact copy of the version or its predecessor, latest backup first.
 */
export async function listBackupCopies(
  records: string,
  names: readonly VersionName[],
): Promise<IntactCopy[][]> {
  const copies: IntactCopy[][] = names.map(() => []);
  if (names.length === 0) return copies;
  for (const { name, path, time } of listBackups(records)) {
    for (const [index, intactCopy] of listIntactVersions(path, names).entries()) {
      if (intactCopy)
        copies[index]?.push({ name, version: intactCopy.version, time: new Date(time).toISOString() });
    }
    // Lets other requests run between two backups.
    await setImmediate();
  }
  return copies;
}

function createNothingToRepairError(type: ResourceType): FhirError {
  return new FhirError('not-offered', messages.nothingToRepair({ type }));
}

function createNotIntactError(type: ResourceType): FhirError {
  return new FhirError('not-offered', messages.notIntact({ type }));
}
