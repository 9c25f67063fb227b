import type { SharedStore } from '../store/store.ts';
import type { ErasureTarget } from '../erasures/erasures.ts';

interface SharedErasureDependencies {
  readonly store: Pick<SharedStore, 'erase'>;
  /** Loads the list from the store. */
  readonly reloadList: () => Promise<void>;
}

/**
 * Creates the erasure target of a shared store, which stores the list in the erasing transaction.
 *
 * Logs and backups of the database are managed elsewhere.
 */
export function createSharedErasureTarget({
  store,
  reloadList: look,
}: SharedErasureDependencies): ErasureTarget {
  return {
    async remove(erasure) {
      const erasedNames = await store.erase([erasure]);
      await look();
      return erasedNames.length > 0;
    },
    settle: () => Promise.resolve(),
    emptyLog: () => Promise.resolve(),
    withBackups: (erasures) => erasures.map((erasure) => ({ ...erasure, backups: [], unseen: null })),
  };
}
