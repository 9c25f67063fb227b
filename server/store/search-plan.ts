import type { Cursor, SearchCriteria, SortColumn, SortKey, Term } from '../../core/fhir/search-criteria.ts';
import { keyNumber, getSelectivity, subjectKeys } from '../../core/fhir/search-parameters.ts';
import { searchedColumns, type TextForm } from './checksum.ts';
import { sqliteDialect } from './dialect.ts';
import { snapshotOf } from './row-cursors.ts';
import { joinAnd, isOfType, join, limited, line, joinOr, sql, type Sql } from './sql.ts';
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

interface Order {
  readonly column: string;
  /** Index name without the type suffix. */
  readonly index: string;
}

const orders: Readonly<Record<SortColumn, Order>> = {
  _lastUpdated: { column: 'last_updated', index: 'record_by_updated' },
  _id: { column: 'id', index: 'record_by_id' },
  date: { column: 'sort_date', index: 'record_by_date' },
  status: { column: 'status', index: 'record_by_status' },
  title: { column: 'title', index: 'record_by_title' },
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
    case 'updated':
    case 'date':
    case 'string':
    case 'missing':
      return undefined;
  }
}

/** Builds the plan of a search with a selective term, which drives it. Undefined if no term is selective. */
export function buildSelectivePlan(
  { type, terms }: SearchCriteria,
  dialect = sqliteDialect,
): Plan | undefined {
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
export function buildScanPlan({ type, terms }: SearchCriteria, dialect = sqliteDialect): Plan {
  const tests = partsOf(type, terms, dialect).map(({ test }) => test);
  return { tests, fullTests: tests };
}

/** Counts all matches. */
export function countSql({ type }: SearchCriteria, { driver, tests }: Plan): Sql {
  if (driver && tests.length === 0) {
    return line('SELECT count(*) FROM (SELECT DISTINCT pk FROM (', driver, '))');
  }
  return line('SELECT count(*) FROM record r WHERE', joinAnd([sourceCondition(type, driver), ...tests]));
}

const currentName = (column: string) => `r.${column}`;
export const formatPreviousName = (column: string) => `v.${column}`;

export interface PageRequest {
  readonly plan: Plan;
  readonly limit: number;
  /** True if versions were written since the cursor's snapshot. */
  readonly hasChanges: boolean;
}

/**
 * Selects the rows `[current, ...keys, id]` of a page. Records that changed since the cursor's snapshot keep
 * their earlier position, and newer ones are excluded. Concurrent writes therefore never repeat or hide a
 * record.
 */
export function pageSql(criteria: SearchCriteria, { plan, limit, hasChanges }: PageRequest): Sql {
  const { type, sort, cursor } = criteria;
  const { driver, tests } = plan;
  const order = orderSql(sort, cursor?.backwards ?? false);
  const index = !driver && sort[0] ? ` INDEXED BY ${orders[sort[0].column].index}_${type}` : '';
  const currentRows = line(
    `SELECT r.current, ${columnsOf(sort, currentName)} FROM record r${index} WHERE`,
    joinAnd([
      sourceCondition(type, driver),
      ...tests,
      ...(cursor ? [buildAfterCondition(sort, cursor, currentName)] : []),
      ...(cursor && hasChanges ? [sql('r.current <= ?', snapshotOf(cursor))] : []),
    ]),
    `ORDER BY ${order} ${limited(limit)}`,
  );
  if (!cursor || !hasChanges) return currentRows;
  const snapshot = snapshotOf(cursor);
  const changedRows = line(
    `SELECT r.current, ${columnsOf(sort, formatPreviousName)} FROM version w CROSS JOIN record r ON r.pk = w.record AND r.current = w.pk`,
    'CROSS JOIN version v ON v.pk = (SELECT max(o.pk) FROM version o WHERE o.record = r.pk AND',
    sql('o.pk <= ?) WHERE', snapshot),
    joinAnd([
      sql('w.pk > ?', snapshot),
      sql(isOfType('r', type)),
      ...plan.fullTests,
      buildAfterCondition(sort, cursor, formatPreviousName),
    ]),
    `ORDER BY ${order} ${limited(limit)}`,
  );
  return line(
    'SELECT * FROM (',
    currentRows,
    ') UNION ALL SELECT * FROM (',
    changedRows,
    `) ORDER BY ${order} ${limited(limit)}`,
  );
}

/**
 * Selects the rows `[version, last_updated, body, sum, current, ...keys, id]` of a page. The limit of the
 * inner query keeps its order in the join.
 */
export function bodiesSql(criteria: SearchCriteria, request: PageRequest, form: TextForm = 'whole'): Sql {
  return line(
    `SELECT v.version, v.last_updated, ${searchedColumns('v', form)}, p.* FROM (`,
    pageSql(criteria, request),
    ') p CROSS JOIN version v ON v.pk = p.current',
  );
}

/**
 * Returns the condition on records. The keys of a driver belong to the type; with a second condition on it,
 * SQLite would read the whole type and search each record in the driver.
 */
function sourceCondition(type: SearchCriteria['type'], driver: Sql | undefined): Sql {
  return driver ? line('r.pk IN (', driver, ')') : sql(isOfType('r', type));
}

/**
 * Returns the sort keys with the id. The id has the direction of the last key, so that one index serves both
 * directions.
 */
export function keysOf(sort: readonly SortKey[]): { column: string; descending: boolean }[] {
  const keys = sort.map(({ column, descending }) => ({ column: orders[column].column, descending }));
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
