import type { Cursor, SearchCriteria, SortColumn, SortKey, Term } from '../../core/fhir/search-criteria.ts';
import { keyNumber, getSelectivity, subjectKeys } from '../../core/fhir/search-parameters.ts';
import type { Dialect } from './dialect.ts';
import { join, joinOr, sql, type Sql } from './sql.ts';
import { partsOf } from './term-sql.ts';

/** Strategy for finding the records of a search. */
export interface Plan {
  /** A SELECT of record keys that contains every match. Without it, all records of the type are read. */
  readonly driver?: Sql;
  /** Conditions of a match, for records of the driver. */
  readonly tests: readonly Sql[];
  /** Conditions of a match, for any record. */
  readonly fullTests: readonly Sql[];
}

const columns: Readonly<Record<SortColumn, string>> = {
  _lastUpdated: 'last_updated',
  _id: 'id',
  date: 'sort_date',
  status: 'status',
  title: 'title',
};

/** Keys of the subject parameters, as an SQL list. */
export const subjectNumbers = `(${subjectKeys.map(keyNumber).join(', ')})`;

/** Ranks how few records match a term in a store of any size. 0 is fewest; undefined if they may be many. */
function rarity(term: Term): number | undefined {
  switch (term.kind) {
    case 'id':
      return 0;
    case 'token':
      return term.not || term.values.some(({ code }) => code === undefined)
        ? undefined
        : getSelectivity(term.key);
    case 'reference':
      return getSelectivity(term.key);
    case 'batch':
    case 'updated':
    case 'date':
    case 'string':
    case 'missing':
      return undefined;
  }
}

/** Builds the plan of a search with a selective term, which drives it. Undefined if no term is selective. */
export function buildSelectivePlan({ type, terms }: SearchCriteria, dialect: Dialect): Plan | undefined {
  const parts = partsOf(type, terms, dialect);
  const [mostSelective] = parts
    .flatMap((part) => {
      const rank = rarity(part.terms[0]);
      return rank === undefined ? [] : [{ part, rank }];
    })
    .sort((a, b) => a.rank - b.rank);
  if (!mostSelective) return undefined;
  return {
    driver: mostSelective.part.having,
    tests: parts.filter((part) => part !== mostSelective.part).map(({ test }) => test),
    fullTests: parts.map(({ test }) => test),
  };
}

/** Builds the plan that reads records in order. Fast if matches are frequent. */
export function buildScanPlan({ type, terms }: SearchCriteria, dialect: Dialect): Plan {
  const tests = partsOf(type, terms, dialect).map(({ test }) => test);
  return { tests, fullTests: tests };
}

export const formatPreviousName = (column: string) => `v.${column}`;

/**
 * Returns the sort keys with the id. The id has the direction of the last key, so that one index serves both
 * directions.
 */
export function keysOf(sort: readonly SortKey[]): { column: string; descending: boolean }[] {
  const keys = sort.map(({ column, descending }) => ({ column: columns[column], descending }));
  return [...keys, { column: 'id', descending: sort.at(-1)?.descending ?? false }];
}

/** Returns the columns of the sort keys, by their names in the query. */
export function columnsOf(sort: readonly SortKey[], nameOf: (column: string) => string): string {
  return keysOf(sort)
    .map(({ column }) => nameOf(column))
    .join(', ');
}

/** Returns the order by position after the first column, so that one text sorts both halves of a union. */
export function orderSql(sort: readonly SortKey[], backwards: boolean): string {
  return keysOf(sort)
    .map(({ descending }, index) => `${index + 2}${descending === backwards ? '' : ' DESC'}`)
    .join(', ');
}

/** Returns the condition that a row follows the cursor, or precedes it for a page backwards. */
export function buildAfterCondition(
  sort: readonly SortKey[],
  { keys, backwards }: Cursor,
  nameOf: (column: string) => string,
): Sql {
  const comparisons = keysOf(sort).map(({ column, descending }, index) => ({
    column: nameOf(column),
    comparison: descending === backwards ? '>' : '<',
    value: keys[index] ?? '',
  }));
  const [firstComparison] = comparisons;
  if (firstComparison && comparisons.every(({ comparison }) => comparison === firstComparison.comparison)) {
    const names = comparisons.map(({ column }) => column).join(', ');
    const values = comparisons.map(({ value }) => value);
    return sql(`(${names}) ${firstComparison.comparison} (${values.map(() => '?').join(', ')})`, ...values);
  }
  return joinOr(
    comparisons.map(({ column, comparison, value }, index) =>
      join(
        [
          ...comparisons.slice(0, index).map((equalPart) => sql(`${equalPart.column} = ?`, equalPart.value)),
          sql(`${column} ${comparison} ?`, value),
        ],
        ' AND ',
      ),
    ),
  );
}
