import type { indexTables } from '../index-tables.ts';
import type { Columns, Value } from '../sql.ts';

export type IndexTable = (typeof indexTables)[number];

/** The placeholders of lists, one a column, behind so many others. */
export function placeholders(columns: Columns, before = 0): string {
  return columns.map(([, type], at) => `$${before + at + 1}::${type}[]`).join(', ');
}

/** Rows are a set. */
export function distinct(rows: readonly Value[][]): Value[][] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

/** Rows turned into columns. */
export function listsOf(rows: readonly (readonly Value[])[], width: number): Value[][] {
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column] ?? null));
}
