const forms = [
  // IMF-fixdate and, with dashes and the weekday in full, RFC 850's.
  /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -](?:\d{4}|\d\d) \d\d:\d\d:\d\d GMT$/,
  // asctime's, which names no zone and means the same one.
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];

/** Milliseconds of an HTTP date in any of its three forms (RFC 9110 section 5.6.7); undefined for any other text. */
export function httpDate(text: string): number | undefined {
  if (!forms.some((form) => form.test(text))) return undefined;
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}

/** Whether an instant lies in the second of an HTTP date or before it: an HTTP date has whole seconds. */
export function isUnmodifiedSince(instant: string, date: number): boolean {
  return Math.floor(Date.parse(instant) / 1000) * 1000 <= date;
}

/** Weekday, day, month and year as HTTP writes them, by the day of an instant: records of a store share few days. */
const days = new Map<string, string>();
const mostDays = 1000;

/** An instant of the server's own clock (`2026-11-21T10:20:30.123Z`) as an HTTP date, whose seconds are whole. */
export function toHttpDate(instant: string): string {
  const date = instant.slice(0, 10);
  let day = days.get(date);
  if (day === undefined) {
    if (days.size >= mostDays) days.clear();
    day = new Date(date).toUTCString().slice(0, 'Sat, 21 Nov 2026'.length);
    days.set(date, day);
  }
  return `${day} ${instant.slice(11, 19)} GMT`;
}

/**
 * Seconds that a Retry-After header asks to wait (RFC 9110 section 10.2.3): a number of them, or an instant as an HTTP
 * date; `now` in milliseconds since the epoch. Undefined where there is no header, or one that says neither.
 */
export function secondsToWait(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const instant = /[a-z]/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(instant) ? undefined : Math.max(0, Math.ceil((instant - now) / 1000));
}
