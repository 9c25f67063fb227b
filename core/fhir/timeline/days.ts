/**
 * core/fhir/timeline tells on which days that takes place what a record speaks of, to be drawn. Called by the page.
 * Invariant: nothing gets a day that the record does not name; what cannot be read has none.
 */
import { dayLength } from '../../types/definition/dates.ts';
import { dateRange } from '../search-date.ts';

/** Whole days counted from 1970-01-01, both ends within. */
export interface Days {
  readonly first: number;
  readonly last: number;
}

/** From any day of `start` to any day of `end`: a partial date may mean several. Absent where it is open. */
export interface DaySpan {
  readonly start?: Days;
  readonly end?: Days;
}

/** The days that a FHIR date or dateTime of any precision may mean, as written: `2024` is the whole year. */
export function daysOf(written: string): Days | undefined {
  const [day = ''] = written.split('T');
  const range = dateRange(day);
  return range && { first: range.low / dayLength, last: range.high / dayLength - 1 };
}

/**
 * The days of a Period (FHIR R4 datatypes.html#Period); blank is an open end. Undefined where nothing is said, where a
 * date cannot be read, and where it ends before it begins.
 */
export function periodDays(start: string, end: string): DaySpan | undefined {
  if (start === '' && end === '') return undefined;
  const [from, to] = [daysOf(start), daysOf(end)];
  if ((start !== '' && !from) || (end !== '' && !to)) return undefined;
  if (from && to && to.last < from.first) return undefined;
  return { ...(from && { start: from }), ...(to && { end: to }) };
}

/** How much of a time certainly lies outside a period. */
export type Outside = 'wholly' | 'partly';

/** How a time lies to a period, as far as it is certain; undefined where it may lie within. */
export function outsideOf(span: DaySpan, { start, end }: DaySpan): Outside | undefined {
  const [from, to] = [span.start, span.end];
  const before = (one: Days | undefined) => one && start && one.last < start.first;
  const behind = (one: Days | undefined) => one && end && one.first > end.last;
  if (before(to) || behind(from)) return 'wholly';
  return before(from) || behind(to) ? 'partly' : undefined;
}

/** The first and the last day that is named in any of them; undefined where none is. */
export function reachOf(spans: readonly DaySpan[]): Days | undefined {
  const named = spans.flatMap(({ start, end }) => [start, end]).filter((one) => one !== undefined);
  if (named.length === 0) return undefined;
  return named.reduce((all, one) => ({
    first: Math.min(all.first, one.first),
    last: Math.max(all.last, one.last),
  }));
}
