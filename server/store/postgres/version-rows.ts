import { keyNumber } from '../../../core/fhir/search-parameters.ts';
import type { IndexRows } from '../../../core/fhir/index-rows.ts';
import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import type { Value } from '../sql.ts';

/** A table of index rows: its columns with their types, the key in front. */
export interface IndexTable {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, type: 'integer' | 'bigint' | 'text'])[];
  readonly rows: (index: IndexRows) => readonly Value[][];
}

const key = ['key', 'integer'] as const;

export const indexTables: readonly IndexTable[] = [
  {
    name: 'reference',
    columns: [key, ['target', 'text'], ['target_type', 'text'], ['target_base', 'text']],
    rows: ({ references }) =>
      references.map(({ key: of, target, type, base }) => [keyNumber(of), target, type, base]),
  },
  {
    name: 'token',
    columns: [key, ['code', 'text'], ['system', 'text']],
    rows: ({ tokens }) => tokens.map(({ key: of, code, system }) => [keyNumber(of), code, system]),
  },
  {
    name: 'date_range',
    columns: [key, ['low', 'bigint'], ['high', 'bigint']],
    rows: ({ dates }) => dates.map(({ key: of, low, high }) => [keyNumber(of), low, high]),
  },
  {
    name: 'string',
    columns: [key, ['folded', 'text'], ['exact', 'text']],
    rows: ({ strings }) => strings.map(({ key: of, folded, exact }) => [keyNumber(of), folded, exact]),
  },
];

/** Rows are a set. */
export function distinct(rows: readonly Value[][]): Value[][] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

/** The columns of issue rows, one list each. */
export function issueLists(issues: readonly IssueRow[]): Value[][] {
  return listsOf(
    issues.map(({ rule, severity, category, pointer }) => [rule, severity, category, pointer]),
    4,
  );
}

/** Rows turned into columns. */
export function listsOf(rows: readonly (readonly Value[])[], width: number): Value[][] {
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column] ?? null));
}
