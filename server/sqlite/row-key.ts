/**
 * Keys of the rows of a record: the record's key in the high bits, and the ordinal of the row in the low bits. Four
 * million rows of two billion records fit into JavaScript's exact integers.
 */
/** Bits of the ordinal. */
export const ordinalBits = 22;

const maxRowsPerRecord = 2 ** ordinalBits;

/** Returns the key of a record's row. `ordinal` counts from 0. */
export function rowKey(record: number, ordinal: number): number {
  return record * maxRowsPerRecord + ordinal;
}

/**
 * Returns SQL for the key of the record of an index row. The column `record` has the same value but is in no index, so
 * SQLite would have to read the row.
 */
export function recordSql(rowAlias: string): string {
  return `${rowAlias}.pk >> ${ordinalBits}`;
}

/** Returns the SQL condition that an index row belongs to a record. */
export function belongsToRecordSql(rowAlias: string, recordAlias: string): string {
  return `${rowAlias}.pk BETWEEN ${recordAlias}.pk << ${ordinalBits} AND (${recordAlias}.pk << ${ordinalBits}) + ${maxRowsPerRecord - 1}`;
}
