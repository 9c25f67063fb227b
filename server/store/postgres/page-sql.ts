import type { Cursor, SearchCriteria, SortKey } from '../../../core/fhir/search-criteria.ts';
import { badValue } from '../../../core/fhir/search-values.ts';
import { behind, columnsOf, formerName, keysOf, orderSql, walkPlanOf, type Plan } from '../search-plan.ts';
import { every, isOfType, limited, line, sql, type Sql } from '../sql.ts';
import { partsOf } from '../term-sql.ts';
import { setBySet } from './dialect.ts';

/** How the records of a page are come by. */
export interface PageRequest {
  readonly plan: Plan;
  /**
   * `gathered`: all matches are found and then sorted, for where they are few; `walked`: the records are gone through in
   * their order until the page is full.
   */
  readonly way: 'gathered' | 'walked';
  readonly limit: number;
}

/** The time of the last write stands in a table of its own, with the id that goes on ordering what has one time. */
function currentNames(sort: readonly SortKey[]): (column: string) => string {
  const byTime = new Set(isByTime(sort) ? ['last_updated', 'id'] : []);
  return (column) => `${byTime.has(column) ? 'u' : 'r'}.${column}`;
}

function isByTime(sort: readonly SortKey[]): boolean {
  return sort.some(({ column }) => column === '_lastUpdated');
}

/** The tables of a record's row and of what sorts it. */
function fromSql({ type, sort }: SearchCriteria, driver: Sql | undefined): Sql {
  const time = isByTime(sort) ? 'JOIN updated u ON u.record = r.pk' : '';
  if (driver) return line('FROM (', driver, ') d JOIN record r ON r.pk = d.pk', time);
  // Its index orders the records of a type, and holds the type.
  return line('FROM record r', time, 'WHERE', isOfType(isByTime(sort) ? 'u' : 'r', type));
}

/** The matches as they stand now, `[current, ...keys]`. */
function standing(criteria: SearchCriteria, { plan, way, limit }: PageRequest): Sql {
  const { sort, cursor } = criteria;
  const { driver, tests } = plan;
  const conditions = every([
    ...tests,
    ...(cursor
      ? [
          behind(sort, cursor, currentNames(sort)),
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
  // Kept apart, a limit does not lead the planner to walk the records for few matches. A driver names some twice: in their
  // order those stand beside each other.
  return line(`SELECT ${driver ? 'DISTINCT ' : ''}m.* FROM (`, rows, `OFFSET 0) m ${order}`);
}

/** Those that were changed since the cursor's snapshot, where they stood then; what was made since is left out. */
function moved({ type, sort }: SearchCriteria, cursor: Cursor, { plan, limit }: PageRequest): Sql {
  const snapshot = snapshotOf(cursor);
  return line(
    sql(
      `SELECT r.current, ${columnsOf(sort, formerName)} FROM version w
       JOIN record r ON r.pk = w.record AND r.current = w.pk
       CROSS JOIN LATERAL (SELECT o.* FROM version o WHERE o.record = r.pk
         AND pg_visible_in_snapshot(o.xid, ?::pg_snapshot) ORDER BY o.version DESC LIMIT 1) v
       WHERE w.xid >= pg_snapshot_xmin(?::pg_snapshot) AND NOT pg_visible_in_snapshot(w.xid, ?::pg_snapshot) AND`,
      ...[snapshot, snapshot, snapshot],
    ),
    every([sql(isOfType('r', type)), ...plan.every, behind(sort, cursor, formerName)]),
    `ORDER BY ${orderSql(sort, cursor.backwards)} ${limited(limit)}`,
  );
}

/**
 * The rows `[current, ...keys, id]` of a page. Records that were changed since the cursor's snapshot stand where they
 * stood then, records made since are left out: nobody meets a record twice or never because others write.
 */
function placesSql(criteria: SearchCriteria, request: PageRequest): Sql {
  const { sort, cursor } = criteria;
  const still = standing(criteria, request);
  if (!cursor) return still;
  return line(
    'SELECT * FROM ((',
    still,
    ') UNION ALL (',
    moved(criteria, cursor, request),
    `)) p ORDER BY ${orderSql(sort, cursor.backwards)} ${limited(request.limit)}`,
  );
}

/** Columns of {@link bodiesSql} in front of the keys. */
export const before = 7;

/**
 * The rows `[version, last_updated, body, sum, follows, snapshot, current, ...keys, id]` of a page, in its order, as far as
 * their texts come to so many bytes together, the first in any case; `follows` is whether there is one behind.
 */
export function bodiesSql(criteria: SearchCriteria, request: PageRequest, most: number, texts: string): Sql {
  const { sort, cursor } = criteria;
  const names = keysOf(sort).map((_, at) => `k${at}`);
  const order = orderSql(sort, cursor?.backwards ?? false).replaceAll(
    /\d+/g,
    (at) => names[Number(at) - 2] ?? '',
  );
  return line(
    `SELECT t.version, t.last_updated, t.body, t.sum, t.follows, pg_current_snapshot()::text, t.current, ${names.join(', ')}
     FROM (SELECT p.*, v.version, v.last_updated, ${texts}, lead(true) OVER w AS follows, row_number() OVER w AS at,
       sum(octet_length(v.body)) OVER w AS through FROM (`,
    placesSql(criteria, request),
    `) p(current, ${names.join(', ')}) JOIN version v ON v.pk = p.current WINDOW w AS (ORDER BY ${order})) t`,
    sql(`WHERE t.at = 1 OR t.through <= ? ORDER BY ${order}`, most),
  );
}

/** `FROM` and `WHERE` of all matches, each a `record r` once. */
export function matchesSql({ type }: Pick<SearchCriteria, 'type'>, { driver, tests }: Plan): Sql {
  if (driver)
    return line(
      'FROM (SELECT DISTINCT pk FROM (',
      driver,
      ') x) d JOIN record r ON r.pk = d.pk WHERE',
      every(tests),
    );
  return line('FROM record r WHERE', every([sql(isOfType('r', type)), ...tests]));
}

/** The number of all matches, or that they are more than so many. */
export function countSql(criteria: SearchCriteria, plan: Plan, most?: number): Sql {
  const matches = matchesSql(criteria, plan);
  if (most === undefined) return line('SELECT count(*)', matches);
  return line('SELECT count(*) FROM (SELECT 1', matches, `${limited(most)}) m`);
}

/**
 * The number of all matches, for searches that find many. What one term asks its own index answers, whose records are of the
 * type by their key; who has not what is asked for, are all others.
 */
export function totalSql(criteria: SearchCriteria): Sql {
  const { type, terms } = criteria;
  const [part, ...others] = partsOf(type, terms, setBySet);
  if (!part || others.length > 0) return countSql(criteria, walkPlanOf(criteria, setBySet));
  const having = line('SELECT count(*) FROM (SELECT DISTINCT x.pk FROM (', part.having, ') x) d');
  if (!part.without) return having;
  return line('SELECT (', countSql(criteria, { tests: [], every: [] }), ') - (', having, ')');
}

/**
 * What this store's snapshots say: which transactions a first page had seen, as `pg_current_snapshot` writes it. A count of
 * writes would not do: a number is given out before its transaction is committed, and one of a lower number may come in
 * behind it.
 *
 * @throws FhirError `value` where no store like this one made it.
 */
function snapshotOf({ snapshot }: Cursor): string {
  if (/^\d{1,20}:\d{1,20}:(\d{1,20}(,\d{1,20})*)?$/.test(snapshot)) return snapshot;
  throw badValue('_cursor', 'must come from a next link');
}
