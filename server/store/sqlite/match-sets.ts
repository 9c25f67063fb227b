import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { keepNewest } from '../keep-newest.ts';
import { MatchSet } from './match-set.ts';
import { isOfType, line, sql, type Sql } from '../sql.ts';
import type { Statements } from './statements.ts';
import { partsOf, type Part } from '../term-sql.ts';

/** Sets that are kept: at a million records each is 125 KiB. */
const most = 150;

/** So many changed records are looked at one by one; where more came, a set is made anew. */
const mostChanged = 5_000;

/** A set of record numbers, and up to which version it tells of them. */
interface Kept {
  readonly matches: MatchSet;
  seen: number;
}

/**
 * Keeps which records meet a part of a search, as sets of their numbers: together they answer any search that is made of
 * such parts. A write costs a set only a look at the record that was written. Sets that were not asked for lately go.
 */
export class MatchSets {
  private readonly statements: Statements;
  private readonly kept = new Map<string, Kept>();
  private seen = 0;

  constructor(statements: Statements) {
    this.statements = statements;
  }

  /** The matches of a search among what is stored now; not to be changed. */
  of({ type, terms }: SearchCriteria): MatchSet {
    const now = this.written();
    const parts = partsOf(type, terms);
    const wanted = parts.filter(({ without }) => !without);
    const [first = this.all(type, now), ...others] = wanted.map((part) => this.having(type, part, now));
    if (others.length === 0 && wanted.length === parts.length) return first;
    const found = first.copy();
    for (const other of others) found.retain(other);
    for (const part of parts) if (part.without) found.remove(this.having(type, part, now));
    return found;
  }

  /** The number of the last write: each adds a version, and nothing else changes what is found. */
  written(): number {
    const now = this.statements.number(sql('SELECT max(pk) FROM version'));
    if (now < this.seen) this.kept.clear();
    this.seen = now;
    return now;
  }

  /** The numbers of the records that were written behind that version. */
  changedSince(version: number): readonly number[] {
    return this.statements.numbers(
      sql('SELECT DISTINCT record FROM version NOT INDEXED WHERE pk > ?', version),
    );
  }

  /** Records were removed, or index rows were made anew. */
  forget(): void {
    this.kept.clear();
  }

  private all(type: ResourceType, now: number): MatchSet {
    const test = sql('TRUE');
    return this.setOf(
      type,
      { having: sql(`SELECT r.pk FROM record r WHERE ${isOfType('r', type)}`), test },
      now,
    );
  }

  private having(type: ResourceType, { having, without, test }: Part, now: number): MatchSet {
    return this.setOf(type, { having, test: without ? line('NOT', test) : test }, now);
  }

  /** The set of a SELECT; `test` says the same of a record. */
  private setOf(
    type: ResourceType,
    { having, test }: { readonly having: Sql; readonly test: Sql },
    now: number,
  ): MatchSet {
    const key = JSON.stringify([having.text, having.values]);
    const known = this.kept.get(key);
    const kept = (known && this.brought(known, type, test, now)) ?? { matches: this.made(having), seen: now };
    keepNewest(this.kept, key, kept, most);
    return kept.matches;
  }

  private made(having: Sql): MatchSet {
    const matches = new MatchSet(this.statements.number(sql('SELECT max(pk) FROM record')));
    this.statements.eachNumber(having, 'pk', (pk) => matches.add(pk));
    return matches;
  }

  /** A set that tells of what was written since; undefined where it is better made anew. */
  private brought(kept: Kept, type: ResourceType, test: Sql, now: number): Kept | undefined {
    if (now - kept.seen > mostChanged) return undefined;
    if (now === kept.seen) return kept;
    const changed = this.changedSince(kept.seen);
    for (const pk of changed) kept.matches.drop(pk);
    const among = sql('FROM json_each(?) c CROSS JOIN record r ON r.pk = c.value', JSON.stringify(changed));
    const met = line('SELECT r.pk', among, `WHERE ${isOfType('r', type)} AND`, test);
    for (const pk of this.statements.numbers(met)) kept.matches.add(pk);
    kept.seen = now;
    return kept;
  }
}
