import { lastCharacter, type Dialect } from '../store/dialect.ts';
import { isOfType, line, sql } from '../store/sql.ts';
import { belongsToRecordSql, recordSql } from './row-key.ts';

export const sqliteDialect: Dialect = {
  recordSql,
  belongsToRecordSql,
  byRecord: ' NOT INDEXED',
  // The plus keeps SQLite from converting the subquery to a join. With the statistics of better-sqlite3,
  // SQLite would prepare such a statement again at each execution.
  exists: '+EXISTS',
  fence: '',
  join: 'CROSS JOIN',
  unindexed: (column) => `+${column}`,
  equals: (column, value) => sql(`${column} = ?`, value),
  startsWith: (column, value) => sql(`${column} >= ? AND ${column} < ?`, value, value + lastCharacter),
  contains: (column, part) => sql(`instr(${column}, ?) > 0`, part),
  updated(type, conditions) {
    const test = conditions('r.last_updated');
    return { test, having: line('SELECT r.pk FROM record r WHERE', isOfType('r', type), 'AND', test) };
  },
  lastUpdated: (record) => `${record}.last_updated`,
  issueRow: 'rowid',
};
