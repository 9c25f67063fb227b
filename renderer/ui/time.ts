/**
 * How the page shows time, one function for each kind, in the language that Settings say. Instants are shown in local time;
 * a text that is no instant is shown as it is.
 */
import { dateFormat, dateLanguage } from './date-language.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Returns the day by which rules judge, in UTC as the server's: what the worklist counts, a record shows at any hour. */
export function ruleDay(time: number | Date = Date.now()): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The local day as data has it: `2026-01-03`. */
export function localDay(time: number | Date = Date.now()): string {
  return dateFormat('day', { language: 'iso' }).format(time);
}

function shownDay(time: number): string {
  return dateFormat('day').format(time);
}

/** An instant to the minute: `2026-01-03 14:02`. {@link exactTime} belongs in its tooltip. */
export function localTime(instant: string): string {
  return shown(instant, (time) => `${shownDay(time)} ${dateFormat('minute').format(time)}`);
}

/** An instant as a clock shows it: `14:02` if it is today, else with its day before it. */
export function clockTime(
  instant: string,
  now = Date.now(),
  precision: 'minute' | 'second' = 'minute',
): string {
  return shown(instant, (time) => {
    const clock = dateFormat(precision).format(time);
    return isSameDay(time, now) ? clock : `${shownDay(time)} ${clock}`;
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
    return shownDay(time);
  });
}

/** An instant to the second with its zone, for tooltips: `3 Jan 2026, 14:02:00 CET`. */
export function exactTime(instant: string): string {
  return shown(instant, (time) => dateFormat('exact').format(time));
}

/** Year, month and day of a FHIR date, the last two of which may be missing. */
const datePattern = /^([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?$/;

/** A FHIR date in the language that was chosen, to the part that is written. */
function dateWords(date: string): string {
  const [, year, month, day] = datePattern.exec(date) ?? [];
  const time = Date.parse(date);
  if (dateLanguage.get() === 'iso' || year === undefined || Number.isNaN(time)) return date;
  const precision = day !== undefined ? 'day' : month !== undefined ? 'month' : 'year';
  return dateFormat(precision, { utc: true }).format(time);
}

/** A FHIR date or dateTime, or a period of two, by their days as written: `2024-01-03`, `2024-01-03 – 2024-04-03`. */
export function writtenDays(start: string, end = ''): string {
  const day = (dateTime: string) => dateWords(dateTime.split('T')[0] ?? dateTime);
  return end === '' ? day(start) : `${day(start)} – ${day(end)}`;
}

/** The same for tooltips: a dateTime with its time and zone, a date as written. */
export function exactDays(start: string, end = ''): string {
  const exactly = (dateTime: string) => (dateTime.includes('T') ? exactTime(dateTime) : dateWords(dateTime));
  return [start, end].filter(Boolean).map(exactly).join(' – ');
}

export function isSameDay(time: number, other: number): boolean {
  return localDay(time) === localDay(other);
}

function shown(instant: string, show: (time: number) => string): string {
  const time = Date.parse(instant);
  return Number.isNaN(time) ? instant : show(time);
}
