/**
 * Keys of the rows that describe a record: the record's key, then a number for each row. With four million
 * rows per record and two billion records, they are exact as numbers.
 */
export const ordinalBits = 22;

const rowsOfRecord = 2 ** ordinalBits;

/** Returns the key of a record's row. `ordinal` counts from 0. */
export function rowKey(record: number, ordinal: number): number {
  return record * rowsOfRecord + ordinal;
}

/**
 * Returns SQL for the record of an index row `row`. The column `record` has the same value, but indexes lack
 * it, so SQLite would read the row.
 */
export function recordOf(row: string): string {
  return `${row}.pk >> ${ordinalBits}`;
}

/** Returns the SQL condition that an index row `row` belongs to `record`. */
export function isRowOf(row: string, record: string): string {
  return `${row}.pk BETWEEN ${record}.pk << ${ordinalBits} AND (${record}.pk << ${ordinalBits}) + ${rowsOfRecord - 1}`;
}
