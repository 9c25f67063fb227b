import type { Cursor, SearchCriteria, SortColumn, SortKey, Term } from '../../core/fhir/search-criteria.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { isNarrow, keyNumber, subjectKeys } from '../../core/fhir/search-parameters.ts';
import { searchedColumns, type TextForm } from './checksum.ts';
import { every, isOfType, join, limited, line, some, sql, type Sql } from './sql.ts';
import { driverOf, testOf } from './term-sql.ts';

/**
 * How a search is answered: `driver` selects the records of its most selective term, `tests` are the others. `narrow`
 * says that the driver finds few records whatever the size of the store.
 */
export interface Plan {
  readonly driver?: Sql;
  readonly tests: readonly Sql[];
  readonly narrow: boolean;
}

interface Order {
  readonly column: string;
  /** Without the type that ends its name. */
  readonly index: string;
}

const orders: Readonly<Record<SortColumn, Order>> = {
  _lastUpdated: { column: 'last_updated', index: 'record_by_updated' },
  _id: { column: 'id', index: 'record_by_id' },
  date: { column: 'sort_date', index: 'record_by_date' },
  status: { column: 'status', index: 'record_by_status' },
  title: { column: 'title', index: 'record_by_title' },
};

/** The numbers of the subjects, as an SQL list. */
export const subjectNumbers = `(${subjectKeys.map(keyNumber).join(', ')})`;

/** Lower is more selective; terms up to `narrowest` are few records each. */
function rank(term: Term): number {
  switch (term.kind) {
    case 'id':
      return 0;
    case 'token':
      return isNarrow(term.key) ? 1 : 5;
    case 'reference':
      return isNarrow(term.key) ? 2 : 3;
    case 'string':
      return 4;
    case 'updated':
      return 6;
    case 'date':
      return 7;
    case 'missing':
      return 8;
  }
}

const narrowest = 2;

/** Chooses the driver among the terms of a search. */
export function planOf({ type, terms }: SearchCriteria): Plan {
  const [first] = terms
    .flatMap((term) => {
      const driver = driverOf(type, term);
      return driver ? [{ term, driver, rank: rank(term) }] : [];
    })
    .sort((one, other) => one.rank - other.rank);
  const tests = terms.filter((term) => term !== first?.term).map((term) => testOf(term));
  return {
    tests,
    narrow: first !== undefined && first.rank <= narrowest,
    ...(first && { driver: first.driver }),
  };
}

/** The number of all matches. */
export function countSql({ type }: SearchCriteria, { driver, tests }: Plan): Sql {
  if (driver && tests.length === 0) {
    return line('SELECT count(*) FROM (SELECT DISTINCT pk FROM (', driver, '))');
  }
  return line('SELECT count(*) FROM record r WHERE', every([entered(type, driver), ...tests]));
}

/** The number of matches among the records behind the one with the number `last`; each of them is looked at. */
export function newerCountSql({ type, terms }: SearchCriteria, last: number): Sql {
  const tests = [sql(isOfType('r', type)), ...terms.map((term) => testOf(term))];
  return line('SELECT count(*) FROM record r NOT INDEXED WHERE', every([sql('r.pk > ?', last), ...tests]));
}

export interface PageRequest {
  readonly plan: Plan;
  readonly limit: number;
  /** Whether the driver's records are sorted, or the records in their order tested: better where matches abound. */
  readonly walk: boolean;
  /** Whether anything was written since the cursor's snapshot. */
  readonly changed: boolean;
}

/**
 * The rows `[current, ...keys, id]` of a page. Records that were changed since the cursor's snapshot stand where they
 * stood then, records made since are left out: nobody meets a record twice or never because others write.
 */
export function pageSql(criteria: SearchCriteria, { plan, limit, walk, changed }: PageRequest): Sql {
  const { type, sort, cursor, terms } = criteria;
  const order = orderSql(sort, cursor?.backwards ?? false);
  const driver = walk ? undefined : plan.driver;
  const tests = driver ? plan.tests : terms.map((term) => testOf(term));
  const index = walk && sort[0] ? ` INDEXED BY ${orders[sort[0].column].index}_${type}` : '';
  const still = line(
    `SELECT r.current, ${columns(sort, 'r')} FROM record r${index} WHERE`,
    every([
      entered(type, driver),
      ...tests,
      ...(cursor ? [behind(sort, cursor, 'r')] : []),
      ...(cursor && changed ? [sql('r.current <= ?', cursor.snapshot)] : []),
    ]),
    `ORDER BY ${order} ${limited(limit)}`,
  );
  if (!cursor || !changed) return still;
  const moved = line(
    `SELECT r.current, ${columns(sort, 'v')} FROM version w CROSS JOIN record r ON r.pk = w.record AND r.current = w.pk`,
    'CROSS JOIN version v ON v.pk = (SELECT max(o.pk) FROM version o WHERE o.record = r.pk AND',
    sql('o.pk <= ?) WHERE', cursor.snapshot),
    every([
      sql('w.pk > ?', cursor.snapshot),
      sql(isOfType('r', type)),
      ...terms.map((term) => testOf(term)),
      behind(sort, cursor, 'v'),
    ]),
    `ORDER BY ${order} ${limited(limit)}`,
  );
  return line(
    'SELECT * FROM (',
    still,
    ') UNION ALL SELECT * FROM (',
    moved,
    `) ORDER BY ${order} ${limited(limit)}`,
  );
}

/**
 * The rows `[version, last_updated, body, sum, current, ...keys, id]` of a page, in its order: that of the inner query,
 * which its limit keeps apart from the join.
 */
export function bodiesSql(criteria: SearchCriteria, request: PageRequest, form: TextForm = 'whole'): Sql {
  return line(
    `SELECT v.version, v.last_updated, ${searchedColumns('v', form)}, p.* FROM (`,
    pageSql(criteria, request),
    ') p CROSS JOIN version v ON v.pk = p.current',
  );
}

/**
 * The way into the records. A driver's records are of the type by its keys: a condition on the type beside it makes
 * SQLite read the whole type and look each record up among the driver's.
 */
function entered(type: ResourceType, driver: Sql | undefined): Sql {
  return driver ? line('r.pk IN (', driver, ')') : sql(isOfType('r', type));
}

/** The id goes the way of the last column, so that one index serves both directions. */
function keysOf(sort: readonly SortKey[]): { column: string; descending: boolean }[] {
  const keys = sort.map(({ column, descending }) => ({ column: orders[column].column, descending }));
  return [...keys, { column: 'id', descending: sort.at(-1)?.descending ?? false }];
}

function columns(sort: readonly SortKey[], table: 'r' | 'v'): string {
  return keysOf(sort)
    .map(({ column }) => `${table}.${column}`)
    .join(', ');
}

/** By position, so that one text orders both halves of a union. */
function orderSql(sort: readonly SortKey[], backwards: boolean): string {
  return keysOf(sort)
    .map(({ descending }, index) => `${index + 2}${descending === backwards ? '' : ' DESC'}`)
    .join(', ');
}

/** The condition that a row stands behind the cursor (before it, for a page backwards). */
function behind(sort: readonly SortKey[], { keys, backwards }: Cursor, table: 'r' | 'v'): Sql {
  const parts = keysOf(sort).map(({ column, descending }, index) => ({
    column: `${table}.${column}`,
    comparison: descending === backwards ? '>' : '<',
    value: keys[index] ?? '',
  }));
  const [first] = parts;
  if (first && parts.every(({ comparison }) => comparison === first.comparison)) {
    const names = parts.map(({ column }) => column).join(', ');
    const values = parts.map(({ value }) => value);
    return sql(`(${names}) ${first.comparison} (${values.map(() => '?').join(', ')})`, ...values);
  }
  return some(
    parts.map(({ column, comparison, value }, index) =>
      join(
        [
          ...parts.slice(0, index).map((before) => sql(`${before.column} = ?`, before.value)),
          sql(`${column} ${comparison} ?`, value),
        ],
        ' AND ',
      ),
    ),
  );
}
