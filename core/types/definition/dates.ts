// Calendar days in UTC, as rules and measures count them.

/** Returns the number of a day: days since 1970, UTC. */
export function dayNumber(time: number): number {
  return Math.floor(time / dayMs);
}

/** Returns a day number as YYYY-MM-DD. */
export function dayText(number: number): string {
  return new Date(number * dayMs).toISOString().slice(0, 10);
}

/** Returns true if a text is a calendar day, YYYY-MM-DD. */
export function isDay(value: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN;
  // Date.parse reads 31 February as a day of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

/**
 * Date, dateTime or instant of any precision as the span of time that it may mean, in milliseconds since
 * 1970.
 */
export interface TimeSpan {
  readonly startMs: number;
  readonly endMs: number;
  readonly zoned: boolean;
}

const datePattern =
  /^([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2})(?:T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?(Z|[+-][0-9]{2}:[0-9]{2}))?)?)?$/;
const minuteMs = 60_000;
/** Time zones range from UTC+14 to UTC-12: the maximum distance of two days without zone. */
const maxZoneDistance = 26 * 60 * minuteMs;
export const dayMs = 24 * 60 * minuteMs;

/** Returns true if year, month and day exist in the calendar; true without a day. */
export function isCalendarDate(text: string): boolean {
  if (text.length < 10) return true;
  const day = Number(text.slice(8, 10));
  return day <= 28 || day <= daysIn(Number(text.slice(0, 4)), Number(text.slice(5, 7)));
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Parses FHIR R4's partial dates (datatypes.html#dateTime); undefined for anything else. */
export function timeSpan(value: unknown): TimeSpan | undefined {
  const match = typeof value === 'string' ? datePattern.exec(value) : null;
  if (!match) return undefined;
  const [, year, month, day, hours, minutes, seconds, fraction, zone] = match;
  if (day !== undefined && !isCalendarDate(match[0])) return undefined;
  const y = Number(year);
  const m = Number(month ?? 1) - 1;
  const d = Number(day ?? 1);
  if (hours === undefined) {
    const endOfSpanMs =
      day !== undefined ? utc(y, m, d + 1) : month !== undefined ? utc(y, m + 1, 1) : utc(y + 1, 0, 1);
    return { startMs: utc(y, m, d), endMs: endOfSpanMs - 1, zoned: false };
  }
  const ms = Number(`0.${fraction ?? '0'}`) * 1000;
  const localStartMs =
    utc(y, m, d) + ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + ms;
  const shift = offset(zone ?? 'Z') * minuteMs;
  return {
    startMs: localStartMs - shift,
    endMs: localStartMs - shift + (fraction === undefined ? 999 : 0),
    zoned: true,
  };
}

/** Returns a time. Date.UTC would read years below 100 as 1900 to 1999. */
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day);
}

function offset(zone: string): number {
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return zone.startsWith('-') ? -minutes : minutes;
}

/** Returns true if every moment of `laterSpan` is after every moment of `earlierSpan`. */
export function isCertainlyAfter(laterSpan: TimeSpan, earlierSpan: TimeSpan): boolean {
  return (
    laterSpan.startMs > earlierSpan.endMs + (laterSpan.zoned === earlierSpan.zoned ? 0 : maxZoneDistance)
  );
}
