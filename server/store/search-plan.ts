import type { Cursor, SearchCriteria, SortColumn, SortKey, Term } from '../../core/fhir/search-criteria.ts';
import { keyNumber, rarityOf, subjectKeys } from '../../core/fhir/search-parameters.ts';
import { searchedColumns, type TextForm } from './checksum.ts';
import { sqliteDialect } from './dialect.ts';
import { snapshotOf } from './places.ts';
import { every, isOfType, join, limited, line, some, sql, type Sql } from './sql.ts';
import { partsOf } from './term-sql.ts';

/** How the records of a search are found. */
export interface Plan {
  /** A SELECT of the numbers of records, every match among them; absent where all of the type are gone through. */
  readonly driver?: Sql;
  /** What each of them must meet to be a match. */
  readonly tests: readonly Sql[];
  /** The same for a record that comes by another way. */
  readonly every: readonly Sql[];
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

/** How few records meet a term, whatever the size of the store: 0 is fewest; undefined where they may be many. */
function rarity(term: Term): number | undefined {
  switch (term.kind) {
    case 'id':
      return 0;
    case 'token':
      return term.not || term.anyOf.some(({ code }) => code === undefined) ? undefined : rarityOf(term.key);
    case 'reference':
      return rarityOf(term.key);
    case 'updated':
    case 'date':
    case 'string':
    case 'missing':
      return undefined;
  }
}

/** The plan of a search of which one term finds few records, the rarest of them first; undefined where none does. */
export function narrowPlanOf({ type, terms }: SearchCriteria, dialect = sqliteDialect): Plan | undefined {
  const parts = partsOf(type, terms, dialect);
  const [first] = parts
    .flatMap((part) => {
      const rank = rarity(part.terms[0]);
      return rank === undefined ? [] : [{ part, rank }];
    })
    .sort((one, other) => one.rank - other.rank);
  if (!first) return undefined;
  return {
    driver: first.part.having,
    tests: parts.filter((part) => part !== first.part).map(({ test }) => test),
    every: parts.map(({ test }) => test),
  };
}

/** The plan of any search: record by record in their order. For few matches that abound; others take long. */
export function walkPlanOf({ type, terms }: SearchCriteria, dialect = sqliteDialect): Plan {
  const tests = partsOf(type, terms, dialect).map(({ test }) => test);
  return { tests, every: tests };
}

/** The number of all matches. */
export function countSql({ type }: SearchCriteria, { driver, tests }: Plan): Sql {
  if (driver && tests.length === 0) {
    return line('SELECT count(*) FROM (SELECT DISTINCT pk FROM (', driver, '))');
  }
  return line('SELECT count(*) FROM record r WHERE', every([entered(type, driver), ...tests]));
}

const currentName = (column: string) => `r.${column}`;
export const formerName = (column: string) => `v.${column}`;

export interface PageRequest {
  readonly plan: Plan;
  readonly limit: number;
  /** Whether anything was written since the cursor's snapshot. */
  readonly changed: boolean;
}

/**
 * The rows `[current, ...keys, id]` of a page. Records that were changed since the cursor's snapshot stand where they
 * stood then, records made since are left out: nobody meets a record twice or never because others write.
 */
export function pageSql(criteria: SearchCriteria, { plan, limit, changed }: PageRequest): Sql {
  const { type, sort, cursor } = criteria;
  const { driver, tests } = plan;
  const order = orderSql(sort, cursor?.backwards ?? false);
  const index = !driver && sort[0] ? ` INDEXED BY ${orders[sort[0].column].index}_${type}` : '';
  const still = line(
    `SELECT r.current, ${columnsOf(sort, currentName)} FROM record r${index} WHERE`,
    every([
      entered(type, driver),
      ...tests,
      ...(cursor ? [behind(sort, cursor, currentName)] : []),
      ...(cursor && changed ? [sql('r.current <= ?', snapshotOf(cursor))] : []),
    ]),
    `ORDER BY ${order} ${limited(limit)}`,
  );
  if (!cursor || !changed) return still;
  const snapshot = snapshotOf(cursor);
  const moved = line(
    `SELECT r.current, ${columnsOf(sort, formerName)} FROM version w CROSS JOIN record r ON r.pk = w.record AND r.current = w.pk`,
    'CROSS JOIN version v ON v.pk = (SELECT max(o.pk) FROM version o WHERE o.record = r.pk AND',
    sql('o.pk <= ?) WHERE', snapshot),
    every([
      sql('w.pk > ?', snapshot),
      sql(isOfType('r', type)),
      ...plan.every,
      behind(sort, cursor, formerName),
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
function entered(type: SearchCriteria['type'], driver: Sql | undefined): Sql {
  return driver ? line('r.pk IN (', driver, ')') : sql(isOfType('r', type));
}

/** The id goes the way of the last column, so that one index serves both directions. */
export function keysOf(sort: readonly SortKey[]): { column: string; descending: boolean }[] {
  const keys = sort.map(({ column, descending }) => ({ column: orders[column].column, descending }));
  return [...keys, { column: 'id', descending: sort.at(-1)?.descending ?? false }];
}

/** The columns of these keys, as a query names them. */
export function columnsOf(sort: readonly SortKey[], nameOf: (column: string) => string): string {
  return keysOf(sort)
    .map(({ column }) => nameOf(column))
    .join(', ');
}

/** By position behind the first column, so that one text orders both halves of a union. */
export function orderSql(sort: readonly SortKey[], backwards: boolean): string {
  return keysOf(sort)
    .map(({ descending }, index) => `${index + 2}${descending === backwards ? '' : ' DESC'}`)
    .join(', ');
}

/** The condition that a row stands behind the cursor (before it, for a page backwards). */
export function behind(
  sort: readonly SortKey[],
  { keys, backwards }: Cursor,
  nameOf: (column: string) => string,
): Sql {
  const parts = keysOf(sort).map(({ column, descending }, index) => ({
    column: nameOf(column),
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
