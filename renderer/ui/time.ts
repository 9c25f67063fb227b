/**
 * How the page shows time, one function for each kind. Instants are shown in local time; a text that is no instant is
 * shown as it is.
 */

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

// Swedish dates and times are ISO 8601's: 2026-01-03 14:02.
const days = new Intl.DateTimeFormat('sv', { dateStyle: 'short' });
const clocks = {
  minute: new Intl.DateTimeFormat('sv', { timeStyle: 'short' }),
  second: new Intl.DateTimeFormat('sv', { timeStyle: 'medium' }),
} as const;
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

/** The local day: `2026-01-03`. */
export function localDay(time: number | Date = Date.now()): string {
  return days.format(time);
}

/** An instant to the minute: `2026-01-03 14:02`. {@link exactTime} belongs in its tooltip. */
export function localTime(instant: string): string {
  return shown(instant, (time) => `${localDay(time)} ${clocks.minute.format(time)}`);
}

/** An instant as a clock shows it: `14:02` if it is today, else with its day before it. */
export function clockTime(
  instant: string,
  now = Date.now(),
  precision: keyof typeof clocks = 'minute',
): string {
  return shown(instant, (time) => {
    const clock = clocks[precision].format(time);
    return isSameDay(time, now) ? clock : `${localDay(time)} ${clock}`;
  });
}

/** How long ago an instant was, in at most nine characters; its day from a week on. */
export function relativeTime(instant: string, now: number): string {
  return shown(instant, (time) => {
    const age = now - time;
    if (age < minute) return 'just now';
    if (age < hour) return `${Math.floor(age / minute)} min ago`;
    if (age < day) return `${Math.floor(age / hour)} h ago`;
    if (age < 7 * day) return `${Math.floor(age / day)} d ago`;
    return localDay(time);
  });
}

/** An instant to the second with its zone, for tooltips: `3 Jan 2026, 14:02:00 CET`. */
export function exactTime(instant: string): string {
  return shown(instant, (time) => exact.format(time));
}

/** A FHIR date or dateTime, or a period of two, by their days as written: `2024-01-03`, `2024-01-03 – 2024-04-03`. */
export function writtenDays(start: string, end = ''): string {
  const day = (dateTime: string) => dateTime.split('T')[0] ?? dateTime;
  return end === '' ? day(start) : `${day(start)} – ${day(end)}`;
}

/** The same for tooltips: a dateTime with its time and zone, a date as written. */
export function exactDays(start: string, end = ''): string {
  const exactly = (dateTime: string) => (dateTime.includes('T') ? exactTime(dateTime) : dateTime);
  return [start, end].filter(Boolean).map(exactly).join(' – ');
}

export function isSameDay(time: number, other: number): boolean {
  return localDay(time) === localDay(other);
}

function shown(instant: string, show: (time: number) => string): string {
  const time = Date.parse(instant);
  return Number.isNaN(time) ? instant : show(time);
}
