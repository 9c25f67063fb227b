/**
 * Erases records and companions: all versions in the store, what the workspace keeps of them, and the logs of both. Called by the routes,
 * the command line and the start. Invariant: what is on the list is in neither database, or goes at the next start; what could
 * not be erased is on no list.
 */
import { byOf } from '../store/doer.ts';
import type { Erasure, ErasureDone, NewErasure, RecordName } from '../../core/app/erasures.ts';
import type { NamedResource } from '../../core/fhir/companion.ts';
import { isResourceType } from '../../core/fhir/resource.ts';
import { noSuchCompanion, noSuchRecord } from '../fhir/faults.ts';
import { saysFull } from '../store/store-error.ts';
import type { Doer } from '../store/store.ts';
import type { ErasureStore } from '../workspace/erasures.ts';

/** Where records are erased: a data folder, or a store that servers share. */
export interface ErasurePlace {
  /**
   * Removes a record with all that goes with it and puts them on the list, both or neither; answers whether anything was
   * there.
   */
  remove(erasing: Erasure & Pick<Doer, 'requestId'>): Promise<boolean>;
  /** Removes what is listed and there all the same: put back by hand, or left by a process that was killed. */
  settle(erased: readonly Erasure[]): Promise<void>;
  /** Cuts the log in which what was removed stands still. */
  emptyLog(): Promise<void>;
  /** Each erasure with the backups that hold the record still, as far as they are the server's to know. */
  withBackups(erasures: readonly Erasure[]): ErasureDone[];
}

export interface ErasureParts {
  readonly place: ErasurePlace;
  readonly list: Pick<ErasureStore, 'find' | 'list' | 'clean'>;
  /** Where it holds texts of records. */
  readonly finder: { erase(names: readonly RecordName[]): Promise<void> };
  readonly clock: () => number;
  /** Records are gone, and what others say of them. */
  readonly erased?: () => void;
}

export type Erasures = ReturnType<typeof createErasures>;

export function createErasures({ place, list, finder, clock, erased: told }: ErasureParts) {
  async function forget(names: readonly NamedResource[]): Promise<void> {
    await finder.erase(names.filter(isRecordName));
    list.clean();
    await place.emptyLog();
  }

  return {
    /**
     * Erases a record; one that was erased already is answered as it was then.
     *
     * @throws FhirError `not-found` where there is no such record.
     */
    async erase({ type, id, reason }: NewErasure, doer: Doer): Promise<ErasureDone> {
      const asked = { type, id, time: new Date(clock()).toISOString(), ...byOf(doer), reason };
      const there =
        list.find(asked) !== undefined || (await place.remove({ ...asked, requestId: doer.requestId }));
      // Another server may have erased it in the moment before.
      const erasure = list.find(asked) ?? (there ? asked : undefined);
      if (!erasure) throw isResourceType(type) ? noSuchRecord(type) : noSuchCompanion(type);
      told?.();
      await forget([erasure]);
      const [done] = place.withBackups([erasure]);
      return done ?? { ...erasure, backups: [], unseen: null };
    },

    /** Every erasure, newest first, with the backups that hold the record still. */
    list: (): ErasureDone[] => place.withBackups(list.list()),

    /** Has nothing of what another server erased stay here. */
    forget,

    /** At the start: nothing of what is listed is there, whatever happened before. */
    async settle(): Promise<void> {
      const erased = list.list();
      if (erased.length === 0) return;
      try {
        await place.settle(erased);
        await forget(erased);
      } catch (error) {
        // What a full disk does not take now is done at the next start.
        if (!saysFull(error)) throw error;
      }
    },
  };
}

function isRecordName(named: NamedResource): named is RecordName {
  return isResourceType(named.type);
}
