import { relationNames } from '../../../core/fhir/relations.ts';
import type { StoreState } from './asking.ts';
import type { RelationStore } from '../relation-sql.ts';

/** Writes what is wrong between records at the elements that say so. */
export function sqliteRelations(on: StoreState): RelationStore {
  return {
    find: () => on.questions.ask('relations', null),

    async standing() {
      return on.parts.relationRows.standing.all(JSON.stringify(relationNames));
    },

    async write(records, found, day) {
      const { writes, relationRows } = on.parts;
      return writes.add(() => {
        let changed = false;
        for (const record of records)
          if (relationRows.write(record, found.get(record) ?? [], day)) changed = true;
        return changed;
      });
    },

    partners: (questions, limit) => on.questions.ask('partners', { questions, limit }),

    async ended(changed) {
      // What was counted holds no more.
      if (changed) on.parts.rowsChanged(true);
    },
  };
}
