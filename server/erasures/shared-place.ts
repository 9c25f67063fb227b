import type { SharedStore } from '../store/store.ts';
import type { ErasurePlace } from './erasures.ts';

interface SharedParts {
  readonly store: Pick<SharedStore, 'erase'>;
  /** Takes the list over as it stands in the store. */
  readonly look: () => Promise<void>;
}

/**
 * Erases in a store that servers share, which keeps the list itself, in the transaction that erases. Its logs and its backups
 * are those of the database, which others keep.
 */
export function sharedPlace({ store, look }: SharedParts): ErasurePlace {
  return {
    async remove(erasing) {
      const erased = await store.erase([erasing]);
      await look();
      return erased.length > 0;
    },
    settle: () => Promise.resolve(),
    emptyLog: () => Promise.resolve(),
    withBackups: (erasures) => erasures.map((erasure) => ({ ...erasure, backups: [], unseen: null })),
  };
}
