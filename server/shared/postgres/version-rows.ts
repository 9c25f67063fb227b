import type { indexTables } from '../../store/index-tables.ts';
import type { Columns, Value } from '../../store/sql.ts';

export type IndexTable = (typeof indexTables)[number];

/** Returns the placeholders of column lists, after a number of earlier ones. */
export function placeholders(columns: Columns, offset = 0): string {
  return columns.map(([, type], index) => `$${offset + index + 1}::${type}[]`).join(', ');
}

/** Returns the rows without duplicates. */
export function distinct(rows: readonly Value[][]): Value[][] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

/** Converts rows to columns. */
export function toColumns(rows: readonly (readonly Value[])[], width: number): Value[][] {
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column] ?? null));
}
