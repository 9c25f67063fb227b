import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import type { MatchSet } from './match-set.ts';
import type { MatchSets } from './match-sets.ts';
import type { Places } from './page-bodies.ts';
import { snapshotOf } from '../places.ts';
import { gone } from '../search-faults.ts';
import { pageSql } from '../search-plan.ts';
import { sql, type Sql, type Value } from '../sql.ts';
import type { SqliteDatabase } from './sqlite.ts';
import type { Statements } from './statements.ts';

/** Pages that are kept. */
const mostPages = 200;

/** Rows behind a first page that are kept with it: as many of its records may go before it is made anew. */
const reserve = 64;

/** So many records that were written since are put in their places; where more came, a page is made anew. */
const mostChanged = 500;

/** Where the records of a search's pages stand, from the set of its matches. */
export class WidePages {
  private readonly statements: Statements;
  private readonly sets: MatchSets;
  private readonly matcher: Matcher;
  private readonly abundant: number;
  private readonly kept = new Map<string, Places>();

  /** @param abundant - From so many matches on the records are walked in their order, and fewer are sorted. */
  constructor(database: SqliteDatabase, statements: Statements, sets: MatchSets, abundant: number) {
    this.statements = statements;
    this.sets = sets;
    this.matcher = matcherOf(database);
    this.abundant = abundant;
  }

  /**
   * The places of a page and of one more record.
   *
   * @param givenUp - Whether nobody waits for the page any more.
   * @throws FhirError where nobody does.
   */
  at(criteria: SearchCriteria, limit: number, givenUp: () => boolean = () => false): Places {
    const written = this.sets.written();
    const { type, terms, sort, cursor } = criteria;
    const key = JSON.stringify([type, terms, sort, cursor, limit]);
    const known = this.kept.get(key);
    const page = known?.written === written ? known : this.made(criteria, limit, { written, known, givenUp });
    if (this.kept.size >= mostPages) this.kept.clear();
    this.kept.set(key, page);
    return { ...page, rows: page.rows.slice(0, limit + 1) };
  }

  /** Records were removed, or index rows were made anew. */
  forget(): void {
    this.kept.clear();
  }

  private made(
    criteria: SearchCriteria,
    limit: number,
    { written, known, givenUp }: { written: number; known: Places | undefined; givenUp: () => boolean },
  ): Places {
    const matches = this.sets.of(criteria);
    if (givenUp()) throw gone();
    const first = !criteria.cursor;
    const most = first ? limit + 1 + reserve : limit + 1;
    const rows =
      (known && first ? this.mended(criteria, limit, matches, known) : undefined) ??
      this.rows(criteria, most, matches, written);
    // A mended page is longer by what was written; with each further one it would take longer to mend.
    return { total: matches.size, rows: rows.slice(0, most), written };
  }

  private rows(criteria: SearchCriteria, most: number, matches: MatchSet, written: number): Value[][] {
    const { terms, cursor } = criteria;
    const few = matches.size <= this.abundant;
    const driver = few && sql('SELECT value FROM json_each(?)', JSON.stringify(matches.numbers()));
    const changed = cursor !== undefined && written > snapshotOf(cursor);
    return this.sorted(criteria, matches, most, { driver, all: terms.length === 0, changed });
  }

  private sorted(
    criteria: SearchCriteria,
    matches: MatchSet,
    limit: number,
    { driver, all = false, changed = false }: { driver: Sql | false; all?: boolean; changed?: boolean },
  ): Value[][] {
    const member = [sql(this.matcher.test('r.pk'))];
    this.matcher.matches = matches;
    const plan = driver ? { driver, tests: [], every: member } : { tests: all ? [] : member, every: member };
    return this.statements.rows(pageSql(criteria, { plan, limit, changed }));
  }

  /**
   * A first page with what was written since in its place, as far as what is known of it reaches: behind its last record that is
   * as it was, others may stand. Undefined where that is not far enough.
   */
  private mended(
    criteria: SearchCriteria,
    limit: number,
    matches: MatchSet,
    { rows, total, written }: Places,
  ): Value[][] | undefined {
    const changed = this.sets.changedSince(written);
    if (changed.length > mostChanged) return undefined;
    const driver = sql(
      'SELECT record FROM version WHERE pk IN (SELECT value FROM json_each(?)) UNION SELECT value FROM json_each(?)',
      JSON.stringify(rows.map(([current]) => current ?? null)),
      JSON.stringify(changed),
    );
    const found = this.sorted(criteria, matches, rows.length + changed.length, {
      driver: among(driver, this.matcher),
    });
    if (rows.length === total) return found;
    const unchanged = new Set(rows.map(([current]) => current));
    const certain = found.findLastIndex(([current]) => unchanged.has(current ?? null)) + 1;
    return certain > limit ? found.slice(0, certain) : undefined;
  }
}

/** The records of a SELECT `record` that are matches. */
function among({ text, values }: Sql, { test }: Matcher): Sql {
  return { text: `SELECT record FROM (${text}) WHERE ${test('record')}`, values };
}

/** Lets SQL ask whether a record is among the matches of a search. */
interface Matcher {
  /** Those that the next statement asks about. */
  matches: MatchSet | undefined;
  /** The condition that the column holds the number of a match. */
  readonly test: (column: string) => string;
}

const matchers = new WeakMap<SqliteDatabase, Matcher>();

/** The connection's one; its function is defined once, since another definition has every statement prepared anew. */
function matcherOf(database: SqliteDatabase): Matcher {
  const known = matchers.get(database);
  if (known) return known;
  const made: Matcher = { matches: undefined, test: (column) => `is_match(${column})` };
  database.function('is_match', { directOnly: true }, (number) => Number(made.matches?.has(Number(number))));
  matchers.set(database, made);
  return made;
}
