const patterns = [
  // IMF-fixdate, and RFC 850 with dashes and the full weekday.
  /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -](?:\d{4}|\d\d) \d\d:\d\d:\d\d GMT$/,
  // asctime, which has no time zone and means GMT.
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];

/**
 * Parses an HTTP date in any of its three forms (RFC 9110 section 5.6.7) to milliseconds; undefined for other
 * text.
 */
export function parseHttpDate(text: string): number | undefined {
  if (!patterns.some((form) => form.test(text))) return undefined;
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}

/** Returns true if an instant is not later than an HTTP date, in whole seconds. */
export function isUnmodifiedSince(instant: string, date: number): boolean {
  return Math.floor(Date.parse(instant) / 1000) * 1000 <= date;
}

/** Cache of formatted days. Records of a store share few days. */
const formattedDays = new Map<string, string>();
const maxDays = 1000;

/** Formats an instant of the server (`2026-11-21T10:20:30.123Z`) as HTTP date with whole seconds. */
export function formatHttpDate(instant: string): string {
  const date = instant.slice(0, 10);
  let day = formattedDays.get(date);
  if (day === undefined) {
    if (formattedDays.size >= maxDays) formattedDays.clear();
    day = new Date(date).toUTCString().slice(0, 'Sat, 21 Nov 2026'.length);
    formattedDays.set(date, day);
  }
  return `${day} ${instant.slice(11, 19)} GMT`;
}

/**
 * Parses a Retry-After header: a count of seconds or an HTTP date (RFC 9110 section 10.2.3).
 *
 * @param now - Milliseconds since the epoch.
 * @returns Seconds to wait; undefined without a valid header.
 */
export function secondsToWait(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const instant = /[a-z]/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(instant) ? undefined : Math.max(0, Math.ceil((instant - now) / 1000));
}
