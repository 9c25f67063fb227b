/**
 * core/fhir/timeline computes the days of a record's events for a chart. Called by the page. Invariant: only
 * days that the record names are used; an invalid date has none.
 */
import { dayMs } from '../../types/definition/dates.ts';
import { dateRange } from '../search-date.ts';

/** Whole days since 1970-01-01, both ends included. */
export interface Days {
  readonly firstDay: number;
  readonly lastDay: number;
}

/**
 * A span from any day of `start` to any day of `end`, because a partial date covers several. An open end is
 * absent.
 */
export interface DaySpan {
  readonly start?: Days;
  readonly end?: Days;
}

/** Returns the days of a FHIR date or dateTime of any precision: `2024` is the whole year. */
export function daysOf(dateText: string): Days | undefined {
  const [day = ''] = dateText.split('T');
  const range = dateRange(day);
  return range && { firstDay: range.low / dayMs, lastDay: range.high / dayMs - 1 };
}

/**
 * Returns the days of a Period (FHIR R4 datatypes.html#Period). An empty text is an open end.
 *
 * Returns undefined for an empty period, an invalid date or an end before the start.
 */
export function periodDays(start: string, end: string): DaySpan | undefined {
  if (start === '' && end === '') return undefined;
  const [from, to] = [daysOf(start), daysOf(end)];
  if ((start !== '' && !from) || (end !== '' && !to)) return undefined;
  if (from && to && to.lastDay < from.firstDay) return undefined;
  return { ...(from && { start: from }), ...(to && { end: to }) };
}

/** Extent to which a time is certainly outside a period. */
export type OutsideExtent = 'wholly' | 'partly';

/** Compares a time with a period; undefined if it may be inside. */
export function outsideOf(span: DaySpan, { start, end }: DaySpan): OutsideExtent | undefined {
  const [from, to] = [span.start, span.end];
  const before = (days: Days | undefined) => days && start && days.lastDay < start.firstDay;
  const after = (days: Days | undefined) => days && end && days.firstDay > end.lastDay;
  if (before(to) || after(from)) return 'wholly';
  return before(from) || after(to) ? 'partly' : undefined;
}

/** Returns the range from the first to the last named day; undefined if there is none. */
export function reachOf(spans: readonly DaySpan[]): Days | undefined {
  const namedDays = spans.flatMap(({ start, end }) => [start, end]).filter((days) => days !== undefined);
  if (namedDays.length === 0) return undefined;
  return namedDays.reduce((combined, days) => ({
    firstDay: Math.min(combined.firstDay, days.firstDay),
    lastDay: Math.max(combined.lastDay, days.lastDay),
  }));
}
