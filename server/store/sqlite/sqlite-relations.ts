import { relationNames } from '../../../core/fhir/relations.ts';
import type { Questioner } from './asking.ts';
import type { FoundRelation } from '../relation-sql.ts';
import type { RelationStore } from '../relation-store.ts';
import type { Parts } from './sqlite-parts.ts';

/** Writes what is wrong between records at the elements that say so. */
export class SqliteRelations implements RelationStore {
  private readonly state: () => readonly [Parts, Pick<Questioner, 'ask'>];

  constructor(state: () => readonly [Parts, Pick<Questioner, 'ask'>]) {
    this.state = state;
  }

  find(): Promise<readonly FoundRelation[]> {
    return this.state()[1].ask('relations', null);
  }

  async standing(): Promise<readonly number[]> {
    return this.state()[0].relationRows.standing.all(JSON.stringify(relationNames));
  }

  async write(
    records: readonly number[],
    found: ReadonlyMap<number, readonly FoundRelation[]>,
    day: number,
  ): Promise<boolean> {
    const { writes, relationRows } = this.state()[0];
    return writes.add(() => {
      let changed = false;
      for (const record of records)
        if (relationRows.write(record, found.get(record) ?? [], day)) changed = true;
      return changed;
    });
  }

  async ended(changed: boolean): Promise<void> {
    // What was counted holds no more.
    if (changed) this.state()[0].rowsChanged(true);
  }
}
