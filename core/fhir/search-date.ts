/** The time span of a date in milliseconds since the epoch; `high` is exclusive. */
export interface TimeRange {
  readonly low: number;
  readonly high: number;
}

/** The range of all dates, for an open end of a period. */
export const unbounded: TimeRange = { low: -8.64e15, high: 8.64e15 };

const form =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+ -]\d\d:\d\d)?)?)?)?$/;

const day = 24 * 60 * 60 * 1000;

/**
 * Returns the range of a date, dateTime or instant, as wide as its precision (FHIR R4 search.html#date).
 *
 * A time without a zone is UTC. A space is a `+` that a query string decoded.
 *
 * @returns undefined if the text is not a date.
 */
export function dateRange(text: string): TimeRange | undefined {
  const [match, year = '', month, date, hour, minute, seconds, fraction, zone] = form.exec(text) ?? [];
  if (match === undefined) return undefined;
  const midnight = utc(Number(year), Number(month ?? 1), Number(date ?? 1));
  if (midnight === undefined) return undefined;
  if (month === undefined) return range(midnight, utc(Number(year) + 1, 1, 1));
  if (date === undefined) return range(midnight, nextMonth(Number(year), Number(month)));
  if (hour === undefined) return range(midnight, midnight + day);
  if (Number(hour) > 23 || Number(minute) > 59 || Number(seconds ?? 0) > 60) return undefined;
  const offset = offsetOf(zone);
  if (offset === undefined) return undefined;
  const time = midnight + (Number(hour) * 60 + Number(minute) - offset) * 60_000;
  if (seconds === undefined) return range(time, time + 60_000);
  const low = time + Number(seconds) * 1000;
  if (fraction === undefined) return range(low, low + 1000);
  // Truncated, not rounded: ten nines are not the next second.
  const start = low + Number(fraction.slice(0, 3).padEnd(3, '0'));
  return range(start, start + Math.max(1, 1000 / 10 ** fraction.length));
}

function range(low: number, high: number | undefined): TimeRange | undefined {
  return high === undefined ? undefined : { low, high };
}

function nextMonth(year: number, month: number): number | undefined {
  return month === 12 ? utc(year + 1, 1, 1) : utc(year, month + 1, 1);
}

/** Returns midnight of a calendar day; undefined if the calendar has no such day. */
function utc(year: number, month: number, date: number): number | undefined {
  const value = new Date(0);
  value.setUTCFullYear(year, month - 1, date);
  return value.getUTCMonth() === month - 1 && value.getUTCDate() === date ? value.getTime() : undefined;
}

/** Returns minutes east of UTC. */
function offsetOf(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4));
  if (hours > 14 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
