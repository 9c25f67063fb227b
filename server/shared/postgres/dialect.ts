import { lastCharacter, type Dialect } from '../../store/dialect.ts';
import { isOfType, line, sql } from '../../store/sql.ts';

/** Length of an indexed prefix in characters. An index entry of PostgreSQL has at most 2,704 bytes. */
export const indexedLength = 200;

const prefixSql = (column: string) => `left(${column}, ${indexedLength})`;

/** Counts code points, as `left` of SQL does. */
function getPrefix(value: string): string {
  return value.length <= indexedLength ? value : Array.from(value).slice(0, indexedLength).join('');
}

const shared: Omit<Dialect, 'exists' | 'fence'> = {
  recordSql: (row) => `${row}.record`,
  belongsToRecordSql: (row, record) => `${row}.record = ${record}.pk`,
  byRecord: '',
  join: 'JOIN',
  unindexed: (column) => column,
  equals(column, value) {
    return sql(`${prefixSql(column)} = ? AND ${column} = ?`, getPrefix(value), value);
  },
  startsWith(column, value) {
    const start = getPrefix(value);
    const range = sql(`${prefixSql(column)} >= ? AND ${prefixSql(column)} < ?`, start, start + lastCharacter);
    return start === value ? range : line(range, sql(`AND starts_with(${column}, ?)`, value));
  },
  // Unlike position(), LIKE can use the trigram index.
  contains: (column, part) => sql(`${column} LIKE ?`, `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`),
  updated(type, conditions) {
    const condition = conditions('u.last_updated');
    const from = 'FROM updated u WHERE';
    return {
      having: line(`SELECT u.record AS pk ${from}`, isOfType('u', type), 'AND', condition),
      test: line(`EXISTS (SELECT 1 ${from} u.record = r.pk AND`, condition, 'OFFSET 0)'),
    };
  },
  lastUpdated: (record) => `(SELECT u.last_updated FROM updated u WHERE u.record = ${record}.pk)`,
  issueRow: 'ordinal',
};

/** For searches that test record by record. The fence prevents the planner from joining the test. */
export const recordByRecord: Dialect = { ...shared, exists: 'EXISTS', fence: ' OFFSET 0' };

/** For searches over whole sets. The planner chooses the join. */
export const setBySet: Dialect = { ...shared, exists: 'EXISTS', fence: '' };
