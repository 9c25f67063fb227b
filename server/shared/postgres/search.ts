/**
 * Runs searches. This file chooses the plan, because the planner cannot know that a patient has few records
 * and a status has many. A selective term drives the plan. Otherwise the matches are counted first, up to a
 * limit.
 */
import { limits } from '../../../core/api/contract.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { neighbours } from '../../store/row-cursors.ts';
import { buildSelectivePlan, buildScanPlan } from '../../store/search-plan.ts';
import type { Sql, Value } from '../../store/sql.ts';
import type { SearchPage, SharedStore } from '../../store/store.ts';
import { numbered, type Postgres, type Session } from './connection.ts';
import type { PostgresDamage } from './damage.ts';
import type { PostgresDerived } from './derived.ts';
import { facet } from './facets.ts';
import { createTotalCache } from './kept-totals.ts';
import { recordByRecord, setBySet } from './dialect.ts';
import { leadingColumns, bodiesSql, countSql, type PageRequest } from './page-sql.ts';
import { asBytes, sizeOf, textColumns } from './texts.ts';

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
