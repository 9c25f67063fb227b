/**
 * Erases records and companions: all versions in the store, what the workspace keeps of them, and the logs of both. Called by the routes,
 * the command line and the start. Invariant: what is on the workspace's list is in neither database, or goes at the next
 * start; what could not be erased is on no list.
 */
import { byOf } from '../store/doer.ts';
import type { Erasure, ErasureDone, NewErasure, RecordName } from '../../core/app/erasures.ts';
import type { NamedResource } from '../../core/fhir/companion.ts';
import { isResourceType } from '../../core/fhir/resource.ts';
import { noSuchCompanion, noSuchRecord } from '../fhir/faults.ts';
import { saysFull } from '../store/store-error.ts';
import type { Doer, RecordStore } from '../store/store.ts';
import type { SeenBackups } from '../store/backup-folder.ts';
import type { ErasureStore } from '../workspace/erasures.ts';
import { copiesOf } from './copies.ts';

export interface ErasureParts {
  readonly dataDir: string;
  readonly store: Pick<RecordStore, 'erase' | 'emptyLog'>;
  readonly list: ErasureStore;
  /** Where it holds texts of records. */
  readonly finder: { erase(names: readonly RecordName[]): Promise<void> };
  readonly second: () => SeenBackups;
  readonly clock: () => number;
  /** Records are gone, and what others say of them. */
  readonly erased?: () => void;
}

export type Erasures = ReturnType<typeof createErasures>;

export function createErasures({ dataDir, store, list, finder, second, clock, erased: told }: ErasureParts) {
  async function forget(names: readonly NamedResource[]): Promise<void> {
    await finder.erase(names.filter(isRecordName));
    list.clean();
    await store.emptyLog();
  }

  /** Each erasure with the backups that hold the record still. */
  function withBackups(erasures: readonly Erasure[]): ErasureDone[] {
    const { backups: there, unseen } = second();
    const copies = copiesOf(dataDir, erasures, there);
    return erasures.map((erasure, index) => ({ ...erasure, backups: copies[index] ?? [], unseen }));
  }

  return {
    /**
     * Erases a record; one that was erased already is answered as it was then.
     *
     * @throws FhirError `not-found` where there is no such record.
     */
    async erase({ type, id, reason }: NewErasure, doer: Doer): Promise<ErasureDone> {
      const time = new Date(clock()).toISOString();
      const { requestId } = doer;
      const erasure = list.find({ type, id }) ?? { type, id, time, ...byOf(doer), reason };
      if (!list.has(erasure)) {
        const noted: NamedResource[] = [];
        try {
          // What is about a companion goes with it, and does not come back either.
          const erased = await store.erase([{ ...erasure, requestId }], (all) => {
            for (const { type, id } of [erasure, ...all]) {
              list.add({ ...erasure, type, id });
              noted.push({ type, id });
            }
          });
          if (erased.length === 0) throw isResourceType(type) ? noSuchRecord(type) : noSuchCompanion(type);
        } catch (error) {
          for (const one of noted) list.remove(one);
          throw error;
        }
      }
      told?.();
      await forget([erasure]);
      const [done] = withBackups([erasure]);
      return done ?? { ...erasure, backups: [], unseen: null };
    },

    /** Every erasure, newest first, with the backups that hold the record still. */
    list: (): ErasureDone[] => withBackups(list.list()),

    /** Removes what is listed and there all the same: put back by hand, or left by a process that was killed. */
    async settle(): Promise<void> {
      const erased = list.list();
      if (erased.length === 0) return;
      try {
        await store.erase(erased);
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
