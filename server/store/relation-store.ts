import type { FoundRelation } from './relation-sql.ts';

/** What is wrong between records. */
export interface RelationStore {
  /**
   * All that is found now, by index rows alone; undefined where nothing was written since the last look that ended, by
   * whichever server, and nobody asks `anyway`.
   */
  find(anyway: boolean): Promise<readonly FoundRelation[] | undefined>;
  /** Records of which something was found before. */
  standing(): Promise<readonly number[]>;
  /** Writes what was found of some records in the place of what stands; whether anything changed. */
  write(
    records: readonly number[],
    found: ReadonlyMap<number, readonly FoundRelation[]>,
    day: number,
  ): Promise<boolean>;
  /** All that a look found is written; whether anything changed by it. */
  ended(changed: boolean): Promise<void>;
}
