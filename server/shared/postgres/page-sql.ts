import type { Cursor, SearchCriteria, SortKey } from '../../../core/fhir/search-criteria.ts';
import { searchMessages } from '../../../core/fhir/search-messages.ts';
import { badValue } from '../../../core/fhir/search-values.ts';
import {
  buildAfterCondition,
  columnsOf,
  formatPreviousName,
  keysOf,
  orderSql,
  buildScanPlan,
  type Plan,
} from '../../store/search-plan.ts';
import { joinAnd, isOfType, limited, line, sql, type Sql } from '../../store/sql.ts';
import { partsOf } from '../../store/term-sql.ts';
import { setBySet } from './dialect.ts';

/** How a page finds its records. */
export interface PageRequest {
  readonly plan: Plan;
  /**
   * `gathered` sorts all matches; for few matches. `walked` reads records in order until the page is full.
   */
  readonly way: 'gathered' | 'walked';
  readonly limit: number;
}

/** The time of the last write and the id that breaks ties have their own table. */
function currentNames(sort: readonly SortKey[]): (column: string) => string {
  const timeColumns = new Set(isByTime(sort) ? ['last_updated', 'id'] : []);
  return (column) => `${timeColumns.has(column) ? 'u' : 'r'}.${column}`;
}

function isByTime(sort: readonly SortKey[]): boolean {
  return sort.some(({ column }) => column === '_lastUpdated');
}

/** Returns the tables of a record and of its sort keys. */
function fromSql({ type, sort }: SearchCriteria, driver: Sql | undefined): Sql {
  const time = isByTime(sort) ? 'JOIN updated u ON u.record = r.pk' : '';
  if (driver) return line('FROM (', driver, ') d JOIN record r ON r.pk = d.pk', time);
  // The index sorts the records of a type and contains the type.
  return line('FROM record r', time, 'WHERE', isOfType(isByTime(sort) ? 'u' : 'r', type));
}

/** Selects the current matches as `[current, ...keys]`. */
function selectCurrent(criteria: SearchCriteria, { plan, way, limit }: PageRequest): Sql {
  const { sort, cursor } = criteria;
  const { driver, tests } = plan;
  const conditions = joinAnd([
    ...tests,
    ...(cursor
      ? [
          buildAfterCondition(sort, cursor, currentNames(sort)),
          sql('pg_visible_in_snapshot(r.changed, ?::pg_snapshot)', snapshotOf(cursor)),
        ]
      : []),
  ]);
  const rows = line(
    `SELECT r.current, ${columnsOf(sort, currentNames(sort))}`,
    fromSql(criteria, driver),
    driver ? 'WHERE' : 'AND',
    conditions,
  );
  const order = `ORDER BY ${orderSql(sort, cursor?.backwards ?? false)} ${limited(limit)}`;
  if (way === 'walked') return line(rows, order);
  // OFFSET 0 keeps the planner from walking all records for few matches. A driver may return a record twice;
  // after sorting, DISTINCT removes duplicates.
  return line(`SELECT ${driver ? 'DISTINCT ' : ''}m.* FROM (`, rows, `OFFSET 0) m ${order}`);
}

/**
 * Selects records changed since the cursor's snapshot, with their earlier keys. Newer records are excluded.
 */
function selectChanged({ type, sort }: SearchCriteria, cursor: Cursor, { plan, limit }: PageRequest): Sql {
  const snapshot = snapshotOf(cursor);
  return line(
    sql(
      `SELECT r.current, ${columnsOf(sort, formatPreviousName)} FROM version w
       JOIN record r ON r.pk = w.record AND r.current = w.pk
       CROSS JOIN LATERAL (SELECT o.* FROM version o WHERE o.record = r.pk
         AND pg_visible_in_snapshot(o.xid, ?::pg_snapshot) ORDER BY o.version DESC LIMIT 1) v
       WHERE w.xid >= pg_snapshot_xmin(?::pg_snapshot) AND NOT pg_visible_in_snapshot(w.xid, ?::pg_snapshot) AND`,
      snapshot,
      snapshot,
      snapshot,
    ),
    joinAnd([
      sql(isOfType('r', type)),
      ...plan.fullTests,
      buildAfterCondition(sort, cursor, formatPreviousName),
    ]),
    `ORDER BY ${orderSql(sort, cursor.backwards)} ${limited(limit)}`,
  );
}

/**
 * Selects the rows `[current, ...keys, id]` of a page. Records that changed since the cursor's snapshot keep
 * their earlier position, and newer ones are excluded. Concurrent writes therefore never repeat or hide a
 * record.
 */
function placesSql(criteria: SearchCriteria, request: PageRequest): Sql {
  const { sort, cursor } = criteria;
  const currentRows = selectCurrent(criteria, request);
  if (!cursor) return currentRows;
  return line(
    'SELECT * FROM ((',
    currentRows,
    ') UNION ALL (',
    selectChanged(criteria, cursor, request),
    `)) p ORDER BY ${orderSql(sort, cursor.backwards)} ${limited(request.limit)}`,
  );
}

/** Count of columns of {@link bodiesSql} before the keys. */
export const leadingColumns = 7;

/**
 * Selects the rows `[version, last_updated, body, sum, follows, snapshot, current, ...keys, id]` of a page in
 * order, up to a total of `maxBytes`. The first row always appears. `follows` is true if another row follows.
 */
export function bodiesSql(
  criteria: SearchCriteria,
  request: PageRequest,
  maxBytes: number,
  texts: string,
): Sql {
  const { sort, cursor } = criteria;
  const names = keysOf(sort).map((_, index) => `k${index}`);
  const order = orderSql(sort, cursor?.backwards ?? false).replaceAll(
    /\d+/g,
    (columnNumber) => names[Number(columnNumber) - 2] ?? '',
  );
  return line(
    `SELECT t.version, t.last_updated, t.body, t.sum, t.follows, pg_current_snapshot()::text, t.current, ${names.join(', ')}
     FROM (SELECT p.*, v.version, v.last_updated, ${texts}, lead(true) OVER w AS follows, row_number() OVER w AS at,
       sum(octet_length(v.body)) OVER w AS through FROM (`,
    placesSql(criteria, request),
    `) p(current, ${names.join(', ')}) JOIN version v ON v.pk = p.current WINDOW w AS (ORDER BY ${order})) t`,
    sql(`WHERE t.at = 1 OR t.through <= ? ORDER BY ${order}`, maxBytes),
  );
}

/** Returns `FROM` and `WHERE` of all matches, with one row for each `record r`. */
export function matchesSql({ type }: Pick<SearchCriteria, 'type'>, { driver, tests }: Plan): Sql {
  if (driver)
    return line(
      'FROM (SELECT DISTINCT pk FROM (',
      driver,
      ') x) d JOIN record r ON r.pk = d.pk WHERE',
      joinAnd(tests),
    );
  return line('FROM record r WHERE', joinAnd([sql(isOfType('r', type)), ...tests]));
}

/** Counts all matches, up to a limit. */
export function countSql(criteria: SearchCriteria, plan: Plan, maxCount?: number): Sql {
  const matches = matchesSql(criteria, plan);
  if (maxCount === undefined) return line('SELECT count(*)', matches);
  return line('SELECT count(*) FROM (SELECT 1', matches, `${limited(maxCount)}) m`);
}

/**
 * Counts all matches of a large search. A single term is counted in its index, because its key belongs to one
 * type. A negated term is the total minus these.
 */
export function totalSql(criteria: SearchCriteria): Sql {
  const { type, terms } = criteria;
  const [firstPart, ...furtherParts] = partsOf(type, terms, setBySet);
  if (!firstPart || furtherParts.length > 0) return countSql(criteria, buildScanPlan(criteria, setBySet));
  const having = line('SELECT count(*) FROM (SELECT DISTINCT x.pk FROM (', firstPart.having, ') x) d');
  if (!firstPart.isExcluded) return having;
  return line('SELECT (', countSql(criteria, { tests: [], fullTests: [] }), ') - (', having, ')');
}

/**
 * Returns the cursor's snapshot: the transactions that the first page had seen, as `pg_current_snapshot`
 * writes it. A write counter would not work: numbers are assigned before commit, so a lower one may appear
 * later.
 *
 * @throws FhirError `value` if the snapshot has another form.
 */
function snapshotOf({ snapshot }: Cursor): string {
  if (/^\d{1,20}:\d{1,20}:(\d{1,20}(,\d{1,20})*)?$/.test(snapshot)) return snapshot;
  throw badValue('_cursor', searchMessages.nextLink({ name: '_cursor' }));
}
