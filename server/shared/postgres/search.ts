/**
 * Runs searches. This file chooses the plan, because the planner cannot know that a patient has few records
 * and a status has many. A selective term drives the plan. Otherwise the matches are counted first, up to a
 * limit.
 */
import { limits } from '../../../core/api/contract.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { neighbours } from '../../store/row-cursors.ts';
import { buildSelectivePlan, buildScanPlan } from '../../store/search-plan.ts';
import { line, limited, sql, type Sql, type Value } from '../../store/sql.ts';
import type { SearchPage, SharedStore } from '../../store/store.ts';
import { numbered, type Postgres, type Session } from './connection.ts';
import type { PostgresDamage } from './damage.ts';
import type { PostgresDerived } from './derived.ts';
import { recordByRecord, setBySet } from './dialect.ts';
import { leadingColumns, bodiesSql, countSql, totalSql, matchesSql, type PageRequest } from './page-sql.ts';
import { asBytes, sizeOf, textColumns } from './texts.ts';
import { retainLatest } from '../../store/retain-latest.ts';
import type { Facet } from '../../../core/fhir/facet.ts';
import { unbounded } from '../../../core/fhir/search-date.ts';
import { indexKey, keyNumber } from '../../../core/fhir/search-parameters.ts';
import { byMonth, valueOf, type FacetValues } from '../../store/facet-values.ts';

/** From this number of matches, records are read in order. Fewer matches are sorted. */
const manyMatches = 20_000;

/** Creates the search queries. They reject a search until its rows are built. */
export function createSearches(
  database: Postgres,
  derivedStore: Pick<PostgresDerived, 'check'>,
  damage: Pick<PostgresDamage, 'reportDamaged'>,
): Pick<SharedStore, 'search' | 'total' | 'facet'> {
  const countTotal = createTotalCache(database);

  async function total(criteria: SearchCriteria, signal?: AbortSignal): Promise<number> {
    const selectivePlan = buildSelectivePlan(criteria, recordByRecord);
    if (!selectivePlan) return countTotal(criteria, signal);
    const [[count] = []] = await database.rows(numbered(countSql(criteria, selectivePlan)), signal);
    return Number(count);
  }

  /** Reads a page. If more than `limit` records match, it has `lessOf` records. */
  async function page(...[criteria, limit, signal, shorterLimit = limit]: Parameters<SharedStore['search']>) {
    const { cursor, withoutTotal } = criteria;
    const selectivePlan = buildSelectivePlan(criteria, recordByRecord);
    const query = (statement: Sql) => database.rows(numbered(statement), signal);
    if (selectivePlan) {
      const rows = await query(pageOf(criteria, { plan: selectivePlan, way: 'gathered', limit: limit + 1 }));
      const isComplete = !cursor && rows.length <= limit && !isTruncated(rows);
      const count = isComplete ? rows.length : withoutTotal ? 0 : await total(criteria, signal);
      return toPage(criteria, rows, count, rows.length > limit ? shorterLimit : limit);
    }
    const sets = buildScanPlan(criteria, setBySet);
    const matches = withoutTotal
      ? Number((await query(countSql(criteria, sets, manyMatches)))[0]?.[0])
      : await countTotal(criteria, signal);
    // No matches: needs no second query.
    if (matches === 0 && !cursor) return toPage(criteria, [], 0, limit);
    const request: PageRequest =
      matches < manyMatches
        ? { plan: sets, way: 'gathered', limit: limit + 1 }
        : { plan: buildScanPlan(criteria, recordByRecord), way: 'walked', limit: limit + 1 };
    const rows = await query(pageOf(criteria, request));
    return toPage(criteria, rows, withoutTotal ? 0 : matches, rows.length > limit ? shorterLimit : limit);
  }

  return {
    async search(criteria, ...options) {
      await derivedStore.check(criteria);
      const foundPage = await page(criteria, ...options);
      damage.reportDamaged(criteria.type, foundPage.records);
      return foundPage;
    },

    async total(criteria, signal) {
      await derivedStore.check(criteria);
      return total(criteria, signal);
    },

    async facet(criteria, ...options) {
      await derivedStore.check(criteria);
      return facet(database, criteria, ...options);
    },
  };
}

/** Returns the first matches within a transaction, including its own writes. `total` counts only them. */
export async function readFirstMatches(
  session: Session,
  criteria: SearchCriteria,
  limit: number,
): Promise<SearchPage> {
  const selectivePlan = buildSelectivePlan(criteria, recordByRecord);
  const plan = selectivePlan ?? buildScanPlan(criteria, recordByRecord);
  const way = selectivePlan ? 'gathered' : 'walked';
  const rows = await session.rows(numbered(pageOf(criteria, { plan, way, limit })));
  return toPage(criteria, rows, rows.length, limit);
}

function pageOf(criteria: SearchCriteria, request: PageRequest): Sql {
  return bodiesSql(criteria, request, limits.answer, textColumns);
}

/** Returns true if the page lacks matches because of the size limit of a response. */
function isTruncated(rows: readonly Value[][]): boolean {
  return Boolean(rows.at(-1)?.[4]);
}

function toPage(
  criteria: SearchCriteria,
  rows: readonly Value[][],
  count: number,
  limit: number,
): SearchPage {
  const { type, cursor } = criteria;
  const hasMore = isTruncated(rows) || rows.length > limit;
  const visibleRows = rows.slice(0, limit);
  if (cursor?.backwards) visibleRows.reverse();
  const snapshot = cursor?.snapshot ?? String(rows[0]?.[5] ?? '');
  const keys = hasMore || cursor ? visibleRows.map((row) => row.slice(leadingColumns)) : [];
  return {
    total: count,
    records: visibleRows.map(([version, lastUpdated, ...row]) => {
      const metadata = { id: String(row.at(-1)), version: Number(version), lastUpdated: String(lastUpdated) };
      return asBytes(type, metadata, row);
    }),
    ...sizeOf(visibleRows, 2),
    hasMore,
    ...neighbours(keys, hasMore, cursor, snapshot),
  };
}

const maxTotals = 200;

interface CachedTotal {
  readonly total: number;
  /** Counted transactions, in the form of `pg_current_snapshot`. */
  readonly seenSnapshot: string;
  readonly mark: string;
}

/** Changes when rows were reconciled or removed without a new version. */
const markSql = `(SELECT concat_ws(' ', d.mended, d.parts, d.done, (SELECT max(made) FROM derivation),
  (SELECT max(stamp) FROM erased), (SELECT max(place) FROM removed)) FROM deriving d)`;

const isCurrentSql = `SELECT ${markSql} = $2 AND NOT EXISTS (SELECT 1 FROM version w
  WHERE w.xid >= pg_snapshot_xmin($1::pg_snapshot) AND NOT pg_visible_in_snapshot(w.xid, $1::pg_snapshot) AND w.type = $3)`;

/**
 * Returns a function that counts matches. It caches the totals of large searches until a server changes a
 * record of their type.
 */
function createTotalCache(database: Postgres) {
  const totals = new Map<string, CachedTotal>();

  async function isCurrent({ seenSnapshot, mark: storedMark }: CachedTotal, type: string): Promise<boolean> {
    const [[isUnchanged] = []] = await database.rows({
      text: isCurrentSql,
      values: [seenSnapshot, storedMark, type],
    });
    return Boolean(isUnchanged);
  }

  return async (criteria: SearchCriteria, signal?: AbortSignal): Promise<number> => {
    const { type, terms } = criteria;
    const key = JSON.stringify([type, terms]);
    const cachedTotal = totals.get(key);
    if (cachedTotal && (await isCurrent(cachedTotal, type))) return cachedTotal.total;
    const countQuery = line(
      `SELECT c.*, pg_current_snapshot()::text, ${markSql} FROM (`,
      totalSql(criteria),
      ') c',
    );
    const [[total = 0, seenSnapshot, currentMark] = []] = await database.rows(numbered(countQuery), signal);
    retainLatest(
      totals,
      key,
      { total: Number(total), seenSnapshot: String(seenSnapshot), mark: String(currentMark) },
      maxTotals,
    );
    return Number(total);
  };
}

/** Returns SQL for the months since the year 0 of a time in milliseconds. */
function monthOf(time: string): string {
  const date = `to_timestamp((${time}) / 1000.0) AT TIME ZONE 'UTC'`;
  return `(extract(year FROM ${date}) * 12 + extract(month FROM ${date}) - 1)::integer`;
}

/**
 * Source of the values of a facet: the table, its columns, a condition for rows with a value, and the count.
 * The rows of a record are distinct, so a row counts as a record unless several rows form one value.
 */
const sources: Readonly<
  Record<
    Facet['kind'],
    readonly [table: string, columns: readonly string[], holds: string, count: 'rows' | 'records']
  >
> = {
  token: ['token', ['f.system', 'f.code'], "f.code <> ''", 'rows'],
  reference: ['reference', ['f.target', 'f.target_type', 'f.target_base'], "f.target <> ''", 'rows'],
  uri: ['string', ['f.exact'], "f.exact <> ''", 'rows'],
  date: [
    'date_range',
    [
      `CASE WHEN f.low > ${unbounded.low} THEN ${monthOf('f.low')} END`,
      `CASE WHEN f.high < ${unbounded.high} THEN ${monthOf('f.high - 1')} END`,
    ],
    'f.low IS NOT NULL AND f.high IS NOT NULL',
    'records',
  ],
  finding: ['issue', ['f.rule'], 'TRUE', 'records'],
};

/** Returns the most frequent values of a facet among the matches. Dates are grouped by month. */
async function facet(
  database: Postgres,
  criteria: SearchCriteria,
  requestedFacet: Facet,
  limit: number,
  signal?: AbortSignal,
): Promise<FacetValues> {
  const plan = buildSelectivePlan(criteria, recordByRecord) ?? buildScanPlan(criteria, setBySet);
  const [table, columns, hasValue, countMode] = sources[requestedFacet.kind];
  const key =
    requestedFacet.kind === 'finding'
      ? ''
      : sql('AND f.key = ?', keyNumber(indexKey(criteria.type, requestedFacet.parameter)));
  // The key belongs to one type, so a search without criteria needs no record rows.
  const isOfAll = criteria.terms.length === 0 && key !== '';
  const matches = isOfAll
    ? line(`FROM ${table} f`)
    : line('FROM (SELECT r.pk', matchesSql(criteria, plan), `) m JOIN ${table} f ON f.record = m.pk`);
  const names = columns.map((_, index) => `c${index}`).join(', ');
  const order = 'ORDER BY 1 DESC, 4';
  const rows = await database.rows(
    numbered(
      line(
        `SELECT g.records, r.id, g.total, ${names} FROM (
         SELECT count(${countMode === 'rows' ? '*' : 'DISTINCT f.record'}) AS records, min(f.record) AS one, count(*) OVER () AS total,
         ${columns.map((column, index) => `${column} AS c${index}`).join(', ')}`,
        matches,
        `WHERE ${hasValue}`,
        key,
        `GROUP BY ${columns.map((_, index) => index + 4).join(', ')} ${order}`,
        requestedFacet.kind === 'date' ? '' : limited(limit),
        `) g JOIN record r ON r.pk = g.one ${order}`,
      ),
    ),
    signal,
  );
  if (requestedFacet.kind !== 'date') {
    const { kind } = requestedFacet;
    return {
      total: Number(rows[0]?.[2] ?? 0),
      values: rows.map(([count, id, , ...cells]) => ({
        value: valueOf(kind, cells),
        count: Number(count),
        id: String(id),
      })),
    };
  }
  const spans = rows.map(([count, , , startMonth, endMonth], index) => ({
    key: [startMonth ?? -Infinity, endMonth ?? Infinity],
    count: Number(count),
    record: index,
  }));
  const months = byMonth(spans);
  return {
    total: months.length,
    values: months
      .slice(0, limit)
      .map(({ value, count, record }) => ({ value, count, id: String(rows[record]?.[1] ?? '') })),
  };
}
