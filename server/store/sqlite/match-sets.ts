import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { retainLatest } from '../retain-latest.ts';
import { MatchSet } from './match-set.ts';
import { isOfType, line, sql, type Sql } from '../sql.ts';
import type { Statements } from './statements.ts';
import { partsOf, type Part } from '../term-sql.ts';
import { sqliteDialect } from '../../sqlite/dialect.ts';

/** Maximum number of cached sets. At a million records, each set has 125 KiB. */
const maxSets = 150;

/** Up to this number of changed records, a set is updated. Otherwise it is rebuilt. */
const maxChangedRecords = 5_000;

/** A set of record keys and the version up to which it is current. */
interface CacheEntry {
  readonly matches: MatchSet;
  lastVersion: number;
}

/**
 * Caches the matches of each part of a search as sets of record keys. Combined sets answer any search made of such
 * parts.
 * After a write, a set is updated only for the written record. Sets that were not used lately are evicted.
 */
export class MatchSets {
  private readonly statements: Statements;
  private readonly entries = new Map<string, CacheEntry>();
  private lastVersion = 0;

  constructor(statements: Statements) {
    this.statements = statements;
  }

  /** Returns the current matches of a search. Do not change the set. */
  findMatches({ type, terms }: SearchCriteria): MatchSet {
    const now = this.readLatestVersion();
    const parts = partsOf(type, terms, sqliteDialect);
    const includedParts = parts.filter(({ isExcluded }) => !isExcluded);
    const [firstSet = this.findAll(type, now), ...remainingSets] = includedParts.map((part) =>
      this.having(type, part, now),
    );
    if (remainingSets.length === 0 && includedParts.length === parts.length) return firstSet;
    const matches = firstSet.copy();
    for (const otherSet of remainingSets) matches.retain(otherSet);
    for (const part of parts) if (part.isExcluded) matches.remove(this.having(type, part, now));
    return matches;
  }

  /** Returns the key of the latest version. Each write adds a version, and nothing else changes matches. */
  readLatestVersion(): number {
    const now = this.statements.number(sql('SELECT max(pk) FROM version'));
    if (now < this.lastVersion) this.entries.clear();
    this.lastVersion = now;
    return now;
  }

  /** Lists the records written after a version. */
  changedSince(version: number): readonly number[] {
    return this.statements.numbers(
      sql('SELECT DISTINCT record FROM version NOT INDEXED WHERE pk > ?', version),
    );
  }

  /** Discards all sets. Call it after records were removed or index rows were rebuilt. */
  forget(): void {
    this.entries.clear();
  }

  private findAll(type: ResourceType, now: number): MatchSet {
    const test = sql('TRUE');
    return this.setOf(
      type,
      { having: sql(`SELECT r.pk FROM record r WHERE ${isOfType('r', type)}`), test },
      now,
    );
  }

  private having(type: ResourceType, { having, isExcluded, test }: Part, now: number): MatchSet {
    return this.setOf(type, { having, test: isExcluded ? line('NOT', test) : test }, now);
  }

  /** Returns the set of a SELECT. `test` is the same condition for one record. */
  private setOf(
    type: ResourceType,
    { having, test }: { readonly having: Sql; readonly test: Sql },
    now: number,
  ): MatchSet {
    const key = JSON.stringify([having.text, having.values]);
    const cachedEntry = this.entries.get(key);
    const entry = (cachedEntry && this.updateEntry(cachedEntry, type, test, now)) ?? {
      matches: this.buildSet(having),
      lastVersion: now,
    };
    retainLatest(this.entries, key, entry, maxSets);
    return entry.matches;
  }

  private buildSet(having: Sql): MatchSet {
    const matches = new MatchSet(this.statements.number(sql('SELECT max(pk) FROM record')));
    this.statements.eachNumber(having, 'pk', (pk) => matches.add(pk));
    return matches;
  }

  /** Updates a set for later writes. Returns undefined if a rebuild is cheaper. */
  private updateEntry(entry: CacheEntry, type: ResourceType, test: Sql, now: number): CacheEntry | undefined {
    if (now - entry.lastVersion > maxChangedRecords) return undefined;
    if (now === entry.lastVersion) return entry;
    const changedKeys = this.changedSince(entry.lastVersion);
    for (const pk of changedKeys) entry.matches.drop(pk);
    const fromClause = sql(
      'FROM json_each(?) c CROSS JOIN record r ON r.pk = c.value',
      JSON.stringify(changedKeys),
    );
    const met = line('SELECT r.pk', fromClause, `WHERE ${isOfType('r', type)} AND`, test);
    for (const pk of this.statements.numbers(met)) entry.matches.add(pk);
    entry.lastVersion = now;
    return entry;
  }
}
