import { limits } from '../../../core/api/contract.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { textCheck } from './text-check.ts';
import { MatchSets } from './match-sets.ts';
import { pageBodies, type Places } from './page-bodies.ts';
import { neighbours, snapshotOf } from '../row-cursors.ts';
import { RecordFacets } from './record-facets.ts';
import { buildSelectivePlan, buildScanPlan } from '../search-plan.ts';
import { bodiesSql, countSql, pageSql, type PageRequest } from './page-sql.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';
import { Statements, type ResultRows } from './statements.ts';
import type { SearchPage } from '../store.ts';
import { sqliteDialect } from '../../sqlite/dialect.ts';
import type { MatchSet } from './match-set.ts';
import { createDisconnectedError } from '../search-faults.ts';
import { sql, type Sql, type Value } from '../sql.ts';

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

/** Maximum number of cached pages. */
const maxPages = 200;

/** Extra rows cached with a first page. As many of its records may be removed before it is rebuilt. */
const extraRows = 64;

/** Up to this number of later writes, a page is updated. Otherwise it is rebuilt. */
const maxChangedRecords = 500;

/** Finds the positions of the records of a page in the matches of a search. */
class WidePages {
  private readonly statements: Statements;
  private readonly sets: MatchSets;
  private readonly matcher: Matcher;
  private readonly abundant: number;
  private readonly cachedPages = new Map<string, Places>();

  /** @param abundant - Number of matches from which records are scanned in order. Fewer matches are sorted. */
  constructor(database: SqliteDatabase, statements: Statements, sets: MatchSets, abundant: number) {
    this.statements = statements;
    this.sets = sets;
    this.matcher = matcherOf(database);
    this.abundant = abundant;
  }

  /**
   * Returns the positions of a page and of one more record.
   *
   * @param isAborted - Returns true if no client waits for the page.
   * @throws FhirError after an abort.
   */
  findPositions(criteria: SearchCriteria, limit: number, isAborted: () => boolean = () => false): Places {
    const latestVersion = this.sets.readLatestVersion();
    const { type, terms, sort, cursor } = criteria;
    const key = JSON.stringify([type, terms, sort, cursor, limit]);
    const cachedPage = this.cachedPages.get(key);
    const page =
      cachedPage?.latestVersion === latestVersion
        ? cachedPage
        : this.buildPage(criteria, limit, { latestVersion, cachedPage, isAborted });
    if (this.cachedPages.size >= maxPages) this.cachedPages.clear();
    this.cachedPages.set(key, page);
    return { ...page, rows: page.rows.slice(0, limit + 1) };
  }

  /** Discards all pages. Call it after records were removed or index rows were rebuilt. */
  forget(): void {
    this.cachedPages.clear();
  }

  private buildPage(
    criteria: SearchCriteria,
    limit: number,
    {
      latestVersion,
      cachedPage,
      isAborted,
    }: { latestVersion: number; cachedPage: Places | undefined; isAborted: () => boolean },
  ): Places {
    const matches = this.sets.findMatches(criteria);
    if (isAborted()) throw createDisconnectedError();
    const isFirstPage = !criteria.cursor;
    const maxRows = isFirstPage ? limit + 1 + extraRows : limit + 1;
    const rows =
      (cachedPage && isFirstPage ? this.updatePage(criteria, limit, matches, cachedPage) : undefined) ??
      this.rows(criteria, maxRows, matches, latestVersion);
    // An updated page has extra rows of later writes. Each update would take longer without the limit.
    return { total: matches.size, rows: rows.slice(0, maxRows), latestVersion };
  }

  private rows(
    criteria: SearchCriteria,
    maxRows: number,
    matches: MatchSet,
    latestVersion: number,
  ): Value[][] {
    const { terms, cursor } = criteria;
    const few = matches.size <= this.abundant;
    const driver = few && sql('SELECT value FROM json_each(?)', JSON.stringify(matches.numbers()));
    const hasChanged = cursor !== undefined && latestVersion > snapshotOf(cursor);
    return this.querySorted(criteria, matches, maxRows, {
      driver,
      isUnfiltered: terms.length === 0,
      hasChanged,
    });
  }

  private querySorted(
    criteria: SearchCriteria,
    matches: MatchSet,
    limit: number,
    {
      driver,
      isUnfiltered = false,
      hasChanged = false,
    }: { driver: Sql | false; isUnfiltered?: boolean; hasChanged?: boolean },
  ): Value[][] {
    const member = [sql(this.matcher.test('r.pk'))];
    this.matcher.matches = matches;
    const plan = driver
      ? { driver, tests: [], fullTests: member }
      : { tests: isUnfiltered ? [] : member, fullTests: member };
    return this.statements.rows(pageSql(criteria, { plan, limit, hasChanges: hasChanged }));
  }

  /**
   * Updates a first page with later writes. The rows are certain up to its last unchanged record; after it, unknown
   * records may belong. Returns undefined if too few rows are certain.
   */
  private updatePage(
    criteria: SearchCriteria,
    limit: number,
    matches: MatchSet,
    { rows, total, latestVersion: cachedVersion }: Places,
  ): Value[][] | undefined {
    const changedKeys = this.sets.changedSince(cachedVersion);
    if (changedKeys.length > maxChangedRecords) return undefined;
    const driver = sql(
      'SELECT record FROM version WHERE pk IN (SELECT value FROM json_each(?)) UNION SELECT value FROM json_each(?)',
      JSON.stringify(rows.map(([current]) => current ?? null)),
      JSON.stringify(changedKeys),
    );
    const rowsFound = this.querySorted(criteria, matches, rows.length + changedKeys.length, {
      driver: selectMatches(driver, this.matcher),
    });
    if (rows.length === total) return rowsFound;
    const unchanged = new Set(rows.map(([current]) => current));
    const certain = rowsFound.findLastIndex(([current]) => unchanged.has(current ?? null)) + 1;
    return certain > limit ? rowsFound.slice(0, certain) : undefined;
  }
}

/** Selects the matches among the rows of a SELECT `record`. */
function selectMatches({ text, values }: Sql, { test }: Matcher): Sql {
  return { text: `SELECT record FROM (${text}) WHERE ${test('record')}`, values };
}

/** Lets SQL test if a record is a match of a search. */
interface Matcher {
  /** Matches for the next statement. */
  matches: MatchSet | undefined;
  /** Returns the condition that a column contains the key of a match. */
  readonly test: (column: string) => string;
}

const matchers = new WeakMap<SqliteDatabase, Matcher>();

/**
 * Returns the matcher of a connection. Its function is defined once, because each definition makes SQLite prepare all
 * statements again.
 */
function matcherOf(database: SqliteDatabase): Matcher {
  const existingMatcher = matchers.get(database);
  if (existingMatcher) return existingMatcher;
  const matcher: Matcher = { matches: undefined, test: (column) => `is_match(${column})` };
  database.function('is_match', { directOnly: true }, (number) =>
    Number(matcher.matches?.has(Number(number))),
  );
  matchers.set(database, matcher);
  return matcher;
}
