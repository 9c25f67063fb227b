import type { MatchSet } from './match-set.ts';
import type { SqliteDatabase } from './sqlite.ts';

/** Lets SQL ask whether a record is among the matches of a search. */
export interface Matcher {
  /** Those that the next statement asks about. */
  matches: MatchSet | undefined;
  /** The condition that the column holds the number of a match. */
  readonly test: (column: string) => string;
}

const matchers = new WeakMap<SqliteDatabase, Matcher>();

/** The connection's one; its function is defined once, since another definition has every statement prepared anew. */
export function matcherOf(database: SqliteDatabase): Matcher {
  const known = matchers.get(database);
  if (known) return known;
  const made: Matcher = { matches: undefined, test: (column) => `is_match(${column})` };
  database.function('is_match', { directOnly: true }, (number) => Number(made.matches?.has(Number(number))));
  matchers.set(database, made);
  return made;
}
