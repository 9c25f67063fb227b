import { relationNames } from '../../../core/fhir/relations.ts';
import type { StoreState } from './reader-client.ts';
import type { RelationStore } from '../relation-sql.ts';

/** Writes findings between records at the elements that refer to each other. */
export function sqliteRelations(state: StoreState): RelationStore {
  return {
    find: () => state.readerClient.query('relations', null),

    async listFlagged() {
      return state.parts.relationRows.standing.all(JSON.stringify(relationNames));
    },

    async write(records, relationsByRecord, day) {
      const { writes, relationRows } = state.parts;
      return writes.add(() => {
        let changed = false;
        for (const record of records)
          if (relationRows.write(record, relationsByRecord.get(record) ?? [], day)) changed = true;
        return changed;
      });
    },

    partners: (questions, limit) => state.readerClient.query('partners', { questions, limit }),

    async completeScan(hasChanged) {
      // Cached counts are outdated.
      if (hasChanged) state.parts.notifyRowsChanged(true);
    },
  };
}
