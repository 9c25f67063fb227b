/**
 * Keys of the rows that describe a record: the record's own, then a number for each row. At four million rows a record
 * and two thousand million records they stay exact as numbers.
 */
export const ordinalBits = 22;

const rowsOfRecord = 2 ** ordinalBits;

/** The key of a record's row of that number, which counts from 0. */
export function rowKey(record: number, ordinal: number): number {
  return record * rowsOfRecord + ordinal;
}

/**
 * The number of the record of an index row `row`, in SQL: what the column `record` says too, but an index does not hold that
 * one, and SQLite would read the row to come to it.
 */
export function recordOf(row: string): string {
  return `${row}.pk >> ${ordinalBits}`;
}

/** The SQL condition that an index row `row` is one of the record `record`'s. */
export function isRowOf(row: string, record: string): string {
  return `${row}.pk BETWEEN ${record}.pk << ${ordinalBits} AND (${record}.pk << ${ordinalBits}) + ${rowsOfRecord - 1}`;
}
