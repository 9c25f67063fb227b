import type { indexTables } from '../index-tables.ts';
import type { Value } from '../sql.ts';

export type IndexTable = (typeof indexTables)[number];

/** The names of columns. */
export function namesOf(columns: readonly (readonly [name: string, type: string])[], before = ''): string {
  return columns.map(([column]) => before + column).join(', ');
}

/** Rows are a set. */
export function distinct(rows: readonly Value[][]): Value[][] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

/** Rows turned into columns. */
export function listsOf(rows: readonly (readonly Value[])[], width: number): Value[][] {
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column] ?? null));
}
