import type { MatchSet } from './match-set.ts';
import { visitListNumbers } from './statements.ts';
import type { FacetCount, FacetKey } from '../facet-values.ts';
import type { Value } from '../sql.ts';

const noValue = 0;

/**
 * Maps each record to its values of one element. A value is a number. Most records have one value, so further values
 * are in a separate map.
 */
export class FacetColumn {
  private readonly keys: FacetKey[] = [[]];
  private readonly numbers = new Map<string, number>();
  private firsts: Uint32Array;
  private readonly furtherValues = new Map<number, number[]>();

  constructor(highest: number) {
    this.firsts = new Uint32Array(highest + 1);
  }

  /** Adds a value to the records of a list, in the format of {@link visitListNumbers}. */
  add(list: Value, key: FacetKey): void {
    const number = this.numberOf(key);
    visitListNumbers(list, (record) => this.put(record, number));
  }

  private put(record: number, number: number): void {
    if (record >= this.firsts.length) {
      const wider = new Uint32Array(record + 1 + (record >>> 3));
      wider.set(this.firsts);
      this.firsts = wider;
    }
    const firstValue = this.firsts[record] ?? noValue;
    if (firstValue === noValue) this.firsts[record] = number;
    else if (firstValue !== number) {
      const furtherValues = this.furtherValues.get(record) ?? [];
      if (!furtherValues.includes(number)) this.furtherValues.set(record, [...furtherValues, number]);
    }
  }

  clear(record: number): void {
    if (record < this.firsts.length) this.firsts[record] = noValue;
    this.furtherValues.delete(record);
  }

  /** Counts the matches per value, most frequent first. */
  counts(matches: MatchSet): FacetCount[] {
    const counts = new Uint32Array(this.keys.length);
    const records = new Uint32Array(this.keys.length);
    const count = (number: number, record: number) => {
      counts[number] = (counts[number] ?? 0) + 1;
      records[number] = record;
    };
    matches.forEach((record) => {
      count(this.firsts[record] ?? noValue, record);
    });
    for (const [record, furtherValues] of this.furtherValues) {
      if (matches.has(record)) for (const number of furtherValues) count(number, record);
    }
    return this.keys
      .map((key, number) => ({ key, count: counts[number] ?? 0, record: records[number] ?? 0 }))
      .filter(({ count: matching }, number) => number !== noValue && matching > 0)
      .sort((count, right) => right.count - count.count);
  }

  private numberOf(key: FacetKey): number {
    const name = JSON.stringify(key);
    const existingNumber = this.numbers.get(name);
    if (existingNumber !== undefined) return existingNumber;
    this.keys.push(key);
    this.numbers.set(name, this.keys.length - 1);
    return this.keys.length - 1;
  }
}
