import { lastCharacter, type Dialect } from '../dialect.ts';
import { isOfType, line, sql } from '../sql.ts';

/** Characters of a value by which an index leads to it: 2,704 bytes are the most that one takes. */
export const indexed = 200;

const lead = (column: string) => `left(${column}, ${indexed})`;

/** By code points, as `left` counts. */
function leadOf(value: string): string {
  return value.length <= indexed ? value : Array.from(value).slice(0, indexed).join('');
}

const shared: Omit<Dialect, 'exists' | 'fence'> = {
  recordOf: (row) => `${row}.record`,
  isRowOf: (row, record) => `${row}.record = ${record}.pk`,
  byRecord: '',
  join: 'JOIN',
  unindexed: (column) => column,
  is(column, value) {
    return sql(`${lead(column)} = ? AND ${column} = ?`, leadOf(value), value);
  },
  startsWith(column, value) {
    const start = leadOf(value);
    const range = sql(`${lead(column)} >= ? AND ${lead(column)} < ?`, start, start + lastCharacter);
    return start === value ? range : line(range, sql(`AND starts_with(${column}, ?)`, value));
  },
  // Other than position(), LIKE is served by the index of trigrams.
  holds: (column, part) => sql(`${column} LIKE ?`, `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`),
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

/** For searches that go from record to record: the planner makes no join of a fenced test. */
export const recordByRecord: Dialect = { ...shared, exists: 'EXISTS', fence: ' OFFSET 0' };

/** For those that look at whole sets: how they are joined is the planner's to say. */
export const setBySet: Dialect = { ...shared, exists: 'EXISTS', fence: '' };
