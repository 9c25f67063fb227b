import type { FoundRelation } from './record-relations.ts';

/** What is wrong between records. */
export interface RelationStore {
  /** All that is found now, by index rows alone. */
  find(): Promise<readonly FoundRelation[]>;
  /** Records of which something was found before. */
  standing(): readonly number[];
  /** Writes what was found of some records in the place of what stands; whether anything changed. */
  write(
    records: readonly number[],
    found: ReadonlyMap<number, readonly FoundRelation[]>,
    day: number,
  ): Promise<boolean>;
  /** What was counted holds no more. */
  changed(): void;
}
