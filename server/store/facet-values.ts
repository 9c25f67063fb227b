import type { Facet, FacetValue } from '../../core/fhir/facet.ts';
import { unbounded } from '../../core/fhir/search-date.ts';
import type { Value } from './sql.ts';

/** A value of records, as the index rows contain it. */
export type FacetKey = readonly Value[];

export interface FacetCount {
  readonly key: FacetKey;
  readonly count: number;
  /** Primary key of a match with this value. */
  readonly record: number;
}

/** A value of a facet, its number of matches, and one matching record. */
interface ValueCount {
  readonly value: FacetValue;
  readonly count: number;
  readonly id: string;
}

export interface FacetValues {
  /** Most frequent first; months latest first. */
  readonly values: readonly ValueCount[];
  /** Number of all values, returned or not. */
  readonly total: number;
}

/** Converts a key to a facet value. */
export function valueOf(
  kind: Exclude<Facet['kind'], 'date'>,
  [firstCell = null, secondCell = null, thirdCell = null]: FacetKey,
): FacetValue {
  switch (kind) {
    case 'token':
      return { kind, system: text(firstCell), code: String(secondCell) };
    case 'reference':
      return { kind, id: String(firstCell), type: text(secondCell), base: text(thirdCell) };
    case 'uri':
      return { kind, uri: String(firstCell) };
    case 'finding':
      return { kind, rule: String(firstCell) };
  }
}

function text(value: Value): string | null {
  return value === null ? null : String(value);
}

const openRange = { from: -Infinity, to: Infinity };

/** Returns the first and last month of a range, as months since the year 0. */
export function monthsOf(low: Value = null, high: Value = null): FacetKey | undefined {
  if (typeof low !== 'number' || typeof high !== 'number') return undefined;
  return [
    low === unbounded.low ? openRange.from : monthOf(low),
    high === unbounded.high ? openRange.to : monthOf(high - 1),
  ];
}

function monthOf(time: number): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Converts counts of month spans to counts of months, latest first. Open ends extend to the known months. */
export function byMonth(
  spans: readonly FacetCount[],
): { value: FacetValue; count: number; record: number }[] {
  const spanEnds = spans.flatMap(({ key }) => key.map(Number)).filter(Number.isFinite);
  const [firstMonth, lastMonth] = spanEnds.reduce(
    ([earliest, latest], end) => [Math.min(earliest, end), Math.max(latest, end)],
    [Infinity, -Infinity],
  );
  const months = new Map<number, { count: number; record: number }>();
  for (const { key, count, record } of spans) {
    const [startMonth = firstMonth, endMonth = lastMonth] = key.map(Number);
    for (let month = Math.max(startMonth, firstMonth); month <= Math.min(endMonth, lastMonth); month += 1) {
      months.set(month, { count: (months.get(month)?.count ?? 0) + count, record });
    }
  }
  return [...months]
    .sort(([leftMonth], [rightMonth]) => rightMonth - leftMonth)
    .map(([month, monthCount]) => ({ value: { kind: 'date', month: nameOfMonth(month) }, ...monthCount }));
}

function nameOfMonth(month: number): string {
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
}
