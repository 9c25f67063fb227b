import type { DerivedRows, IndexRows } from '../../core/derive/derive.ts';
import { keyNumber } from '../../core/fhir/search-parameters.ts';
import { quickSumOf } from './checksum.ts';

export type Cell = string | number | null;

/** A table of rows that describe a record. The first column is the kind of the row. */
interface RecordTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: (derivedRows: DerivedRows) => Cell[][];
}

const keyColumn = ['key', 'integer'] as const;

/** Tables for searches: columns with PostgreSQL types, the key first, and their rows. */
export const indexTables: readonly {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, type: 'integer' | 'bigint' | 'text'])[];
  readonly rows: (index: IndexRows) => Cell[][];
}[] = [
  {
    name: 'reference',
    columns: [keyColumn, ['target', 'text'], ['target_type', 'text'], ['target_base', 'text']],
    rows: ({ references }) =>
      references.map(({ key, target, type, base }) => [keyNumber(key), target, type, base]),
  },
  {
    name: 'token',
    columns: [keyColumn, ['code', 'text'], ['system', 'text']],
    rows: ({ tokens }) => tokens.map(({ key, code, system }) => [keyNumber(key), code, system]),
  },
  {
    name: 'date_range',
    columns: [keyColumn, ['low', 'bigint'], ['high', 'bigint']],
    rows: ({ dates }) => dates.map(({ key, low, high }) => [keyNumber(key), low, high]),
  },
  {
    name: 'string',
    columns: [keyColumn, ['folded', 'text'], ['exact', 'text']],
    rows: ({ strings }) => strings.map(({ key, folded, exact }) => [keyNumber(key), folded, exact]),
  },
];

export const recordTables: readonly RecordTable[] = [
  ...indexTables.map(({ name, columns, rows }) => ({
    name,
    columns: columns.map(([column]) => column),
    rows: ({ index }: DerivedRows) => rows(index),
  })),
  { name: 'issue', columns: ['rule', 'severity', 'category', 'pointer'], rows: issueCells },
];

function issueCells({ issues }: Pick<DerivedRows, 'issues'>): Cell[][] {
  return issues.map(({ rule, severity, category, pointer }) => [rule, severity, category, pointer]);
}

/** The rows of a record that are meant. */
export interface Scope {
  readonly issues: boolean;
  /** True if index rows are included. `hasKey` selects them by key number. */
  readonly index: boolean;
  readonly hasKey: (key: unknown) => boolean;
}

/** Sort keys of a record, by column. Each column has an index, which is untouched if the value stays. */
export const sortColumns = [
  ['sort_date', 'date'],
  ['status', 'status'],
  ['title', 'title'],
] as const;

/** The sort columns of a row. */
export interface SortColumns {
  readonly sort_date: number;
  readonly status: string;
  readonly title: string;
}

/** Returns true if the sort columns of a row match its text. */
export function isSorted(row: SortColumns, sort: IndexRows['sort']): boolean {
  return sortColumns.every(([column, key]) => row[column] === sort[key]);
}

/** Tables of rows that describe a record. */
export const indexTableNames: readonly string[] = recordTables.map(({ name }) => name);

/** Returns the checksum of the issue rows of a new record. */
export function issueSumOf(derivedRows: Pick<DerivedRows, 'issues'>): number {
  return sumOfCells(issueCells(derivedRows));
}

/** Returns the checksum of issue rows. */
export function sumOfCells(cells: Cell[][]): number {
  return quickSumOf(JSON.stringify(cells));
}
