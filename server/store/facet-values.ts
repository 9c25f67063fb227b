import type { Facet, FacetValue } from '../../core/fhir/facet.ts';
import { always } from '../../core/fhir/search-date.ts';
import type { FacetCount, FacetKey } from './sqlite/facet-column.ts';
import type { Value } from './sql.ts';

/** A value of a facet, how many matches have it, and one of them. */
interface ValueCount {
  readonly value: FacetValue;
  readonly count: number;
  readonly id: string;
}

export interface FacetValues {
  /** The most frequent first; months the latest first. */
  readonly values: readonly ValueCount[];
  /** How many values there are, shown or not. */
  readonly total: number;
}

/** The value that a key stands for. */
export function valueOf(
  kind: Exclude<Facet['kind'], 'date'>,
  [first = null, second = null, third = null]: FacetKey,
): FacetValue {
  switch (kind) {
    case 'token':
      return { kind, system: text(first), code: String(second) };
    case 'reference':
      return { kind, id: String(first), type: text(second), base: text(third) };
    case 'uri':
      return { kind, uri: String(first) };
    case 'finding':
      return { kind, rule: String(first) };
  }
}

function text(value: Value): string | null {
  return value === null ? null : String(value);
}

const open = { from: -Infinity, to: Infinity };

/** The first and the last month that a range reaches into, as months since the year 0. */
export function monthsOf(low: Value = null, high: Value = null): FacetKey | undefined {
  if (typeof low !== 'number' || typeof high !== 'number') return undefined;
  return [low === always.low ? open.from : monthOf(low), high === always.high ? open.to : monthOf(high - 1)];
}

function monthOf(time: number): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Counts of spans of months as counts of months, the latest first; open ends reach as far as others do. */
export function byMonth(
  spans: readonly FacetCount[],
): { value: FacetValue; count: number; record: number }[] {
  const ends = spans.flatMap(({ key }) => key.map(Number)).filter(Number.isFinite);
  const [first, last] = ends.reduce(
    ([least, greatest], end) => [Math.min(least, end), Math.max(greatest, end)],
    [Infinity, -Infinity],
  );
  const months = new Map<number, { count: number; record: number }>();
  for (const { key, count, record } of spans) {
    const [from = first, to = last] = key.map(Number);
    for (let month = Math.max(from, first); month <= Math.min(to, last); month += 1) {
      months.set(month, { count: (months.get(month)?.count ?? 0) + count, record });
    }
  }
  return [...months]
    .sort(([one], [other]) => other - one)
    .map(([month, counted]) => ({ value: { kind: 'date', month: nameOfMonth(month) }, ...counted }));
}

function nameOfMonth(month: number): string {
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
}
