import type { NamedResource } from '../../core/fhir/companion.ts';
import type { SeenBackups } from '../store/sqlite/backup-folder.ts';
import type { RecordStore } from '../store/store.ts';
import type { ErasureStore } from '../workspace/erasures.ts';
import { copiesOf } from './copies.ts';
import type { ErasurePlace } from './erasures.ts';

interface FolderParts {
  readonly dataDir: string;
  readonly store: Pick<RecordStore, 'erase' | 'emptyLog'>;
  /** The workspace's, so that a restore of the records finds it. */
  readonly list: Pick<ErasureStore, 'add' | 'remove'>;
  readonly second: () => SeenBackups;
}

/** Erases in a data folder, whose backups are looked at. */
export function folderPlace({ dataDir, store, list, second }: FolderParts): ErasurePlace {
  return {
    async remove(erasing) {
      const noted: NamedResource[] = [];
      try {
        // What is about a companion goes with it, and does not come back either.
        const erased = await store.erase([erasing], (all) => {
          for (const { type, id } of [erasing, ...all]) {
            list.add({ ...erasing, type, id });
            noted.push({ type, id });
          }
        });
        return erased.length > 0;
      } catch (error) {
        for (const one of noted) list.remove(one);
        throw error;
      }
    },
    async settle(erased) {
      await store.erase(erased);
    },
    emptyLog: () => store.emptyLog(),
    withBackups(erasures) {
      const { backups: there, unseen } = second();
      const copies = copiesOf(dataDir, erasures, there);
      return erasures.map((erasure, index) => ({ ...erasure, backups: copies[index] ?? [], unseen }));
    },
  };
}
