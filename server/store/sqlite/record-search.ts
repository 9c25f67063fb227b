import { limits } from '../../../core/api/contract.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { textCheck } from './text-check.ts';
import { MatchSets } from './match-sets.ts';
import { pageBodies } from './page-bodies.ts';
import { neighbours, snapshotOf } from '../row-cursors.ts';
import { RecordFacets } from './record-facets.ts';
import { buildSelectivePlan, buildScanPlan } from '../search-plan.ts';
import { bodiesSql, countSql, type PageRequest } from './page-sql.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';
import { Statements, type ResultRows } from './statements.ts';
import type { SearchPage } from '../store.ts';
import { WidePages } from './wide-pages.ts';
import { sqliteDialect } from '../../sqlite/dialect.ts';

/** Number of matches from which a scan in record order is cheaper than sorting the matches. */
const manyMatches = 20_000;

/** Creates the searches. Each method reads one state of the database, because the driver is synchronous. */
export function recordSearch(
  database: SqliteDatabase,
  { abundant = manyMatches, bytes = limits.answer, check = textCheck(database.name) } = {},
) {
  const statements = new Statements(database);
  const sets = new MatchSets(statements);
  const facets = new RecordFacets(statements, sets);
  const pages = new WidePages(database, statements, sets, abundant);
  const bodies = pageBodies(statements, check, bytes);

  function rowsOf(criteria: SearchCriteria, request: PageRequest): ResultRows {
    return statements.rowsWithin(
      (maxRows, form) => bodiesSql(criteria, { ...request, limit: maxRows }, form),
      {
        limit: request.limit,
        column: textAt,
        maxBytes: bytes,
      },
    );
  }

  function buildPage(
    criteria: SearchCriteria,
    result: ResultRows,
    {
      total,
      limit,
      latestVersion,
    }: { readonly total: number; readonly limit: number; readonly latestVersion: number },
  ): SearchPage {
    const { cursor } = criteria;
    const hasMore = result.isCut || result.rows.length > limit;
    const rows = result.rows.slice(0, limit);
    if (cursor?.backwards) rows.reverse();
    const keys = hasMore || cursor ? rows.map((row) => row.slice(firstKey)) : [];
    return {
      total,
      records: statements.convertRows({ ...result, rows }, { column: textAt, key: firstKey - 1 }, (row) =>
        bodies.versionOf(criteria, row),
      ),
      ...(result.largest !== undefined && { largest: result.largest }),
      hasMore,
      ...neighbours(keys, hasMore, cursor, cursor?.snapshot ?? String(latestVersion)),
    };
  }

  function narrowTotal(criteria: SearchCriteria): number | undefined {
    const plan = buildSelectivePlan(criteria, sqliteDialect);
    return plan && statements.number(countSql(criteria, plan));
  }

  return {
    facets,
    /** Positions of the records of a page, for a search with many matches. */
    pages,
    /** Texts of the records at such positions. */
    bodies,
    /** Counts the matches of a selective search. Undefined for other searches. */
    narrowTotal,

    total: (criteria: SearchCriteria): number => narrowTotal(criteria) ?? sets.findMatches(criteria).size,

    /**
     * Returns the first matches, with their number as total. Call it before a write: its transaction sees uncommitted
     * rows.
     */
    findFirst(criteria: SearchCriteria, limit: number): SearchPage {
      const plan = buildSelectivePlan(criteria, sqliteDialect) ?? buildScanPlan(criteria, sqliteDialect);
      const result = rowsOf(criteria, { plan, limit, hasChanges: false });
      return buildPage(criteria, result, { total: result.rows.length, limit, latestVersion: 0 });
    },

    /** Returns a page of a selective search. Undefined for other searches. */
    narrowPage(criteria: SearchCriteria, limit: number): SearchPage | undefined {
      const plan = buildSelectivePlan(criteria, sqliteDialect);
      if (!plan) return undefined;
      const { cursor } = criteria;
      const hasChanged = cursor !== undefined && sets.readLatestVersion() > snapshotOf(cursor);
      const result = rowsOf(criteria, { plan, limit: limit + 1, hasChanges: hasChanged });
      const isComplete = !cursor && !result.isCut && result.rows.length <= limit;
      if (isComplete)
        return buildPage(criteria, result, { total: result.rows.length, limit, latestVersion: 0 });
      const total = criteria.withoutTotal ? 0 : statements.number(countSql(criteria, plan));
      return buildPage(criteria, result, { total, limit, latestVersion: sets.readLatestVersion() });
    },

    /** Discards caches. Call it after a rollback, a removal of records or a rebuild. */
    forget(): void {
      for (const cache of [sets, facets, pages]) cache.forget();
    },
  };
}

/** Indexes of the text and of the first sort key in a row of {@link bodiesSql}. */
const textAt = 2;
const firstKey = 5;
