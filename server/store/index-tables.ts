import {
  listRetainedIssues,
  dayOf,
  deriveIssues,
  indexRows,
  noIndex,
  type DerivedRows,
  type IndexRows,
} from '../../core/derive/derive.ts';
import { keyNumber } from '../../core/fhir/search-parameters.ts';
import { quickSumOf } from './checksum.ts';
import { isPartOf, rulesPart, sortPart, type Derivation } from '../../core/derive/derivations.ts';
import { isFoundElsewhere, type IssueRow } from '../../core/fhir/issue-row.ts';
import { resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import type { JsonObject } from '../../core/json/node.ts';

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

export interface SortColumns {
  readonly sort_date: number;
  readonly status: string;
  readonly title: string;
}

/** Returns true if the sort columns of a row match its text. */
export function isSorted(row: SortColumns, sort: IndexRows['sort']): boolean {
  return sortColumns.every(([column, key]) => row[column] === sort[key]);
}

export const indexTableNames: readonly string[] = recordTables.map(({ name }) => name);

/** Returns the checksum of the issue rows of a new record. */
export function issueSumOf(derivedRows: Pick<DerivedRows, 'issues'>): number {
  return sumOfCells(issueCells(derivedRows));
}

/** Returns the checksum of issue rows. */
export function sumOfCells(cells: Cell[][]): number {
  return quickSumOf(JSON.stringify(cells));
}

// Scope of a rebuild, and the derived rows within it. Pure, for every engine.

/** The rows to rebuild, for records of one type. */
export interface TypeScope extends Scope {
  readonly sort: boolean;
  /** Index keys of the rows. Undefined for all. */
  readonly keys?: ReadonlySet<string>;
}

/** All rows, including rows of removed parameters. */
export const allRows: TypeScope = { index: true, sort: true, issues: true, hasKey: () => true };

/** Only the findings of rules. */
export const findingsOnly: TypeScope = { index: false, sort: false, issues: true, hasKey: () => false };

/** Only the index rows. Sort keys are written with the record. */
export const indexAlone: TypeScope = { ...allRows, sort: false, issues: false };

export const noRows: TypeScope = { ...findingsOnly, issues: false };

/** Returns the scope of each type that has one of these parts. */
export function scopesOf(
  parts: ReadonlySet<string>,
  derivations: readonly Derivation[],
): ReadonlyMap<ResourceType, TypeScope> {
  const scopes = new Map<ResourceType, TypeScope>();
  for (const type of resourceTypes) {
    const typeParts = derivations.map(({ name }) => name).filter((name) => isPartOf(name, type));
    const requestedParts = typeParts.filter((part) => parts.has(part));
    if (requestedParts.length === 0) continue;
    const [sort, rules] = [sortPart(type), rulesPart(type)];
    const keys = new Set(requestedParts.filter((part) => part !== sort && part !== rules));
    const numbers = new Set<unknown>([...keys].map(keyNumber));
    scopes.set(
      type,
      requestedParts.length === typeParts.length
        ? allRows
        : {
            index: keys.size > 0,
            sort: parts.has(sort),
            issues: parts.has(rules),
            keys,
            hasKey: (key) => numbers.has(key),
          },
    );
  }
  return scopes;
}

interface RederiveOptions {
  readonly scope: TypeScope;
  /** Existing issues of the record. */
  readonly existingIssues: readonly IssueRow[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Derives the rows of a record within the scope. Issues that do not come from the text stay. */
export function rederive(
  type: ResourceType,
  root: JsonObject,
  { scope, existingIssues, now }: RederiveOptions,
): DerivedRows {
  const index = scope.index || scope.sort ? indexRows(type, root, scope.keys) : noIndex;
  if (!scope.issues) return { index, issues: [] };
  const validation = deriveIssues(type, root, { today: dayOf(now) });
  return { ...validation, index, issues: [...validation.issues, ...listRetainedIssues(existingIssues)] };
}

/**
 * Combines the issues of a version's text with the current issues found elsewhere. The current issues may have changed
 * since the version was created.
 */
export function mergeForeignIssues(
  issues: readonly IssueRow[],
  existingIssues: readonly IssueRow[],
): IssueRow[] {
  return [...issues.filter((issue) => !isFoundElsewhere(issue)), ...existingIssues.filter(isFoundElsewhere)];
}
