import type { Json } from '../../testing/test-server.ts';
import type { Value } from './naive-values.ts';

/** Time that a value covers, in milliseconds. `high` is exclusive. */
export interface Span {
  readonly low: number;
  readonly high: number;
}

/** Returns the span of a date according to its precision (FHIR R4 search.html#date). UTC without a zone. */
export function spanOf(text: unknown): Span | undefined {
  if (typeof text !== 'string' || !/^\d{4}/.test(text)) return undefined;
  const [date = '', time] = text.split('T');
  const [year = 0, month, day] = date.split('-').map(Number);
  if (time !== undefined) {
    const [, clock = '', fraction = '', zone = ''] = /^([\d:]+)\.?(\d*)(Z|[-+].*)?$/.exec(time) ?? [];
    const low = Date.parse(zone === '' ? `${text}Z` : text);
    const width = clock.length === 5 ? 60_000 : Math.max(1, 1000 / 10 ** fraction.length);
    return Number.isNaN(low) ? undefined : { low, high: low + width };
  }
  const low = Date.parse(date);
  const [nextYear, nextMonth, nextDay] =
    month === undefined
      ? [year + 1, 0, 1]
      : day === undefined
        ? [year, month, 1]
        : [year, month - 1, day + 1];
  const high = new Date(0).setUTCFullYear(nextYear, nextMonth, nextDay);
  return Number.isNaN(low) || Number.isNaN(high) ? undefined : { low, high };
}

/** Returns the outer limits of a date, Period or Timing (FHIR R4 search.html#date). */
export function timeOf({ type, value }: Value): Span | undefined {
  switch (type) {
    case 'date':
    case 'dateTime':
    case 'instant':
      return spanOf(value);
    case 'Period':
      return periodOf(value);
    case 'Timing': {
      const spans = [periodOf(value.repeat?.boundsPeriod), ...(value.event ?? []).map(spanOf)].filter(
        Boolean,
      );
      if (spans.length === 0) return undefined;
      return {
        low: Math.min(...spans.map(({ low }) => low)),
        high: Math.max(...spans.map(({ high }) => high)),
      };
    }
    default:
      return undefined;
  }
}

/** A period without start or end is open. */
function periodOf(period: Json): Span | undefined {
  const { start, end } = period ?? {};
  if (start === undefined && end === undefined) return undefined;
  const low = start === undefined ? -Infinity : spanOf(start)?.low;
  const high = end === undefined ? Infinity : spanOf(end)?.high;
  return low === undefined || high === undefined ? undefined : { low, high };
}

/**
 * Comparison by prefix (FHIR R4 search.html#prefix). `ge` and `le` count an overlap, as in other servers.
 * R4's table requires containment.
 */
export const comparisons: Readonly<Record<string, (value: Span, searched: Span) => boolean>> = {
  eq: contains,
  ne: (value, searched) => !contains(value, searched),
  gt: (value, { high }) => value.high > high,
  lt: (value, { low }) => value.low < low,
  ge: (value, { low }) => value.high > low,
  le: (value, { high }) => value.low < high,
  sa: (value, { high }) => value.low >= high,
  eb: (value, { low }) => value.high <= low,
  // The margin is a tenth of the distance between now and the middle of the searched time.
  ap: (value, { low, high }) => {
    const margin = Math.abs(Date.now() - (low + high) / 2) / 10;
    return value.low < high + margin && value.high > low - margin;
  },
};

function contains(value: Span, searched: Span): boolean {
  return value.low >= searched.low && value.high <= searched.high;
}
