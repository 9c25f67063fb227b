import type { MatchSet } from './match-set.ts';
import { eachOf } from './statements.ts';
import type { Value } from '../sql.ts';

/** A value that records have, by what the index rows hold of it. */
export type FacetKey = readonly Value[];

export interface FacetCount {
  readonly key: FacetKey;
  /** Matches that have the value. */
  readonly count: number;
  /** The number of a record that has it, among the matches. */
  readonly record: number;
}

const none = 0;

/**
 * Which values of one element each record has: a number for each value, and for each record the numbers of its values. Almost
 * every record has one; others keep theirs aside.
 */
export class FacetColumn {
  private readonly keys: FacetKey[] = [[]];
  private readonly numbers = new Map<string, number>();
  private firsts: Uint32Array;
  private readonly others = new Map<number, number[]>();

  constructor(highest: number) {
    this.firsts = new Uint32Array(highest + 1);
  }

  /** The records of a list, as {@link eachOf} reads it, have a value. */
  add(list: Value, key: FacetKey): void {
    const number = this.numberOf(key);
    eachOf(list, (record) => this.put(record, number));
  }

  private put(record: number, number: number): void {
    if (record >= this.firsts.length) {
      const wider = new Uint32Array(record + 1 + (record >>> 3));
      wider.set(this.firsts);
      this.firsts = wider;
    }
    const first = this.firsts[record] ?? none;
    if (first === none) this.firsts[record] = number;
    else if (first !== number) {
      const more = this.others.get(record) ?? [];
      if (!more.includes(number)) this.others.set(record, [...more, number]);
    }
  }

  /** Forgets the values of a record. */
  clear(record: number): void {
    if (record < this.firsts.length) this.firsts[record] = none;
    this.others.delete(record);
  }

  /** How many of the matches have each value, the most frequent first. */
  counts(matches: MatchSet): FacetCount[] {
    const counts = new Uint32Array(this.keys.length);
    const records = new Uint32Array(this.keys.length);
    const count = (number: number, record: number) => {
      counts[number] = (counts[number] ?? 0) + 1;
      records[number] = record;
    };
    matches.forEach((record) => {
      count(this.firsts[record] ?? none, record);
    });
    for (const [record, more] of this.others) {
      if (matches.has(record)) for (const number of more) count(number, record);
    }
    return this.keys
      .map((key, number) => ({ key, count: counts[number] ?? 0, record: records[number] ?? 0 }))
      .filter(({ count: matching }, number) => number !== none && matching > 0)
      .sort((one, other) => other.count - one.count);
  }

  private numberOf(key: FacetKey): number {
    const name = JSON.stringify(key);
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    this.keys.push(key);
    this.numbers.set(name, this.keys.length - 1);
    return this.keys.length - 1;
  }
}
