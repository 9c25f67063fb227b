import type { ResourceType } from '../../core/fhir/resource.ts';
import { isRowOf, recordOf } from './row-key.ts';
import { isOfType, line, sql, type Sql } from './sql.ts';

/** What the engines say differently; all other SQL of searches and of the worklist is one for all. */
export interface Dialect {
  /** The number of the record of an index row. */
  readonly recordOf: (row: string) => string;
  /** The condition that an index row is one of a record's. */
  readonly isRowOf: (row: string, record: string) => string;
  /** Behind the name of an index table whose rows are found by their record. */
  readonly byRecord: string;
  /** Asks for a row of a subquery, record by record, and not as a join. */
  readonly exists: string;
  /** At the end of such a subquery, to the same end. */
  readonly fence: string;
  /** Joins tables in the order in which they are written. */
  readonly join: string;
  /** A column by which no index is to be entered. */
  readonly unindexed: (column: string) => string;
  readonly is: (column: string, value: string) => Sql;
  readonly startsWith: (column: string, value: string) => Sql;
  readonly holds: (column: string, part: string) => Sql;
  /** The time of a record's last write meets conditions: the records that do, and the test of one. */
  readonly updated: (
    type: ResourceType,
    conditions: (column: string) => Sql,
  ) => { readonly having: Sql; readonly test: Sql };
  /** The time of the last write of a record. */
  readonly lastUpdated: (record: string) => string;
  /** What tells the issues of a record apart. */
  readonly issueRow: string;
}

/** Behind every text that begins with what stands before it. */
export const lastCharacter = '\u{10ffff}';

export const sqliteDialect: Dialect = {
  recordOf,
  isRowOf,
  byRecord: ' NOT INDEXED',
  // The plus keeps SQLite from turning the subquery into a join: with the statistics that better-sqlite3 is built with,
  // it prepares such a statement anew at each execution.
  exists: '+EXISTS',
  fence: '',
  join: 'CROSS JOIN',
  unindexed: (column) => `+${column}`,
  is: (column, value) => sql(`${column} = ?`, value),
  startsWith: (column, value) => sql(`${column} >= ? AND ${column} < ?`, value, value + lastCharacter),
  holds: (column, part) => sql(`instr(${column}, ?) > 0`, part),
  updated(type, conditions) {
    const test = conditions('r.last_updated');
    return { test, having: line('SELECT r.pk FROM record r WHERE', isOfType('r', type), 'AND', test) };
  },
  lastUpdated: (record) => `${record}.last_updated`,
  issueRow: 'rowid',
};
