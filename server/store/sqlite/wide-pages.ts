import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import type { MatchSet } from './match-set.ts';
import type { MatchSets } from './match-sets.ts';
import type { Places } from './page-bodies.ts';
import { snapshotOf } from '../row-cursors.ts';
import { createDisconnectedError } from '../search-faults.ts';
import { pageSql } from './page-sql.ts';
import { sql, type Sql, type Value } from '../sql.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';
import type { Statements } from './statements.ts';

/** Maximum number of cached pages. */
const maxPages = 200;

/** Extra rows cached with a first page. As many of its records may be removed before it is rebuilt. */
const extraRows = 64;

/** Up to this number of later writes, a page is updated. Otherwise it is rebuilt. */
const maxChangedRecords = 500;

/** Finds the positions of the records of a page in the matches of a search. */
export class WidePages {
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
