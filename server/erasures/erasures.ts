/**
 * Erases records and supporting resources: all versions, workspace data and logs. Called by the routes, the
 * command line and the start.
 *
 * Invariant: a listed resource is in neither database, or goes at the next start. A resource that could not
 * be erased is not listed.
 */
import { toAuditActor } from '../store/actor.ts';
import type { Erasure, ErasureDone, NewErasure, RecordName } from '../../core/app/erasures.ts';
import type { NamedResource } from '../../core/fhir/supporting-resource.ts';
import { isResourceType } from '../../core/fhir/resource.ts';
import { noSuchSupportingResource, noSuchRecord } from '../fhir/service-errors.ts';
import { saysFull } from '../store/store-error.ts';
import type { Actor } from '../store/store.ts';
import type { ErasureStore } from '../workspace/erasures.ts';

/** Store of the erased records: a data folder or a shared store. */
export interface ErasureTarget {
  /**
   * Removes a record with its dependents and lists them, in one transaction. Returns false if nothing
   * existed.
   */
  remove(erasure: Erasure & Pick<Actor, 'requestId'>): Promise<boolean>;
  /** Removes listed records that exist again: restored by hand, or left by a killed process. */
  settle(erasures: readonly Erasure[]): Promise<void>;
  /** Truncates the log that still contains removed data. */
  emptyLog(): Promise<void>;
  /** Returns each erasure with the known backups that still contain the record. */
  withBackups(erasures: readonly Erasure[]): ErasureDone[];
}

export interface ErasureDependencies {
  readonly target: ErasureTarget;
  readonly list: Pick<ErasureStore, 'find' | 'list' | 'removeErasedData'>;
  /** Search index with texts of records. */
  readonly finder: { erase(names: readonly RecordName[]): Promise<void> };
  readonly clock: () => number;
  /** Called after records are erased. */
  readonly onErased?: () => void;
}

export type Erasures = ReturnType<typeof createErasures>;

export function createErasures({ target: place, list, finder, clock, onErased }: ErasureDependencies) {
  async function removeTraces(names: readonly NamedResource[]): Promise<void> {
    await finder.erase(names.filter(isRecordName));
    list.removeErasedData();
    await place.emptyLog();
  }

  return {
    /**
     * Erases a record. Returns the earlier erasure if it was already erased.
     *
     * @throws FhirError `not-found` if there is no such record.
     */
    async erase({ type, id, source, reason }: NewErasure, actor: Actor): Promise<ErasureDone> {
      const requestedErasure = {
        type,
        id,
        ...(source !== undefined && { source }),
        time: new Date(clock()).toISOString(),
        ...toAuditActor(actor),
        reason,
      };
      // Without a source, an earlier erasure may concern the resource of another one.
      const isListed =
        (isResourceType(type) || source !== undefined) && list.find(requestedErasure) !== undefined;
      const wasPresent =
        isListed || (await place.remove({ ...requestedErasure, requestId: actor.requestId }));
      // Another server may have erased it just before.
      const erasure = list.find(requestedErasure) ?? (wasPresent ? requestedErasure : undefined);
      if (!erasure) throw isResourceType(type) ? noSuchRecord(type) : noSuchSupportingResource(type);
      onErased?.();
      await removeTraces([erasure]);
      const [done] = place.withBackups([erasure]);
      return done ?? { ...erasure, backups: [], unseen: null };
    },

    /** Lists every erasure, latest first, with the backups that still contain the record. */
    list: (): ErasureDone[] => place.withBackups(list.list()),

    /** Removes local traces of records that another server erased. */
    forget: removeTraces,

    /** Completes listed erasures at the start. */
    async settle(): Promise<void> {
      const erasures = list.list();
      if (erasures.length === 0) return;
      try {
        await place.settle(erasures);
        await removeTraces(erasures);
      } catch (error) {
        // Work that a full disk prevents is done at the next start.
        if (!saysFull(error)) throw error;
      }
    },
  };
}

function isRecordName(name: NamedResource): name is RecordName {
  return isResourceType(name.type);
}
