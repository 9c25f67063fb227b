import type { ResourceType } from '../../core/fhir/resource.ts';
import type { Sql } from './sql.ts';

/** Differences of SQL between the engines. Other SQL is shared. */
export interface Dialect {
  readonly recordSql: (row: string) => string;
  /** Returns the condition that an index row belongs to a record. */
  readonly belongsToRecordSql: (row: string, record: string) => string;
  /** Suffix of an index table whose rows are found by record. */
  readonly byRecord: string;
  /** Tests a subquery record by record instead of joining it. */
  readonly exists: string;
  /** End of such a subquery, for the same purpose. */
  readonly fence: string;
  /** Joins tables in the written order. */
  readonly join: string;
  /** Returns a column expression that no index serves. */
  readonly unindexed: (column: string) => string;
  readonly equals: (column: string, value: string) => Sql;
  readonly startsWith: (column: string, value: string) => Sql;
  readonly contains: (column: string, part: string) => Sql;
  /** Conditions on the time of the last write: SQL of the matching records, and the test of one record. */
  readonly updated: (
    type: ResourceType,
    conditions: (column: string) => Sql,
  ) => { readonly having: Sql; readonly test: Sql };
  /** The time of the last write of a record. */
  readonly lastUpdated: (record: string) => string;
  /** Column that identifies an issue within a record. */
  readonly issueRow: string;
}

/** Sorts after every text with the same prefix. */
export const lastCharacter = '\u{10ffff}';
