/**
 * Formats times in the language of the settings, one function per kind. Instants are shown in local time.
 * Text that is not an instant is returned unchanged.
 */
import { dateFormat, dateLanguage } from './date-language.ts';
import { timeText } from './text/time.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * Returns the day for the validation rules, in UTC like the server, so that a record shows the findings that
 * the worklist counts.
 */
export function ruleDay(time: number | Date = Date.now()): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Returns the local day in data format: `2026-01-03`. */
export function localDay(time: number | Date = Date.now()): string {
  return dateFormat('day', { language: 'iso' }).format(time);
}

function formatDay(time: number): string {
  return dateFormat('day').format(time);
}

/** Formats an instant to the minute: `2026-01-03 14:02`. Put {@link exactTime} into its tooltip. */
export function localTime(instant: string): string {
  return formatInstant(instant, (time) => `${formatDay(time)} ${dateFormat('minute').format(time)}`);
}

/** Formats an instant as a clock time: `14:02` today, otherwise with its day. */
export function clockTime(
  instant: string,
  now = Date.now(),
  precision: 'minute' | 'second' = 'minute',
): string {
  return formatInstant(instant, (time) => {
    const clock = dateFormat(precision).format(time);
    return isSameDay(time, now) ? clock : `${formatDay(time)} ${clock}`;
  });
}

/** Formats the age of an instant in up to nine characters; its day after a week. */
export function relativeTime(instant: string, now: number): string {
  return formatInstant(instant, (time) => {
    const age = now - time;
    if (age < minuteMs) return timeText.now;
    if (age < hourMs) return timeText.minutes(Math.floor(age / minuteMs));
    if (age < dayMs) return timeText.hours(Math.floor(age / hourMs));
    if (age < 7 * dayMs) return timeText.days(Math.floor(age / dayMs));
    return formatDay(time);
  });
}

/** Formats an instant to the second with its zone, for tooltips: `3 Jan 2026, 14:02:00 CET`. */
export function exactTime(instant: string): string {
  return formatInstant(instant, (time) => dateFormat('exact').format(time));
}

/** Year, month and day of a FHIR date. Month and day are optional. */
const datePattern = /^([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?$/;

/** Formats a FHIR date in the selected language with the given precision. */
function formatDate(date: string): string {
  const [, year, month, day] = datePattern.exec(date) ?? [];
  const time = Date.parse(date);
  if (dateLanguage.get() === 'iso' || year === undefined || Number.isNaN(time)) return date;
  const precision = day !== undefined ? 'day' : month !== undefined ? 'month' : 'year';
  return dateFormat(precision, { utc: true }).format(time);
}

/** Formats a FHIR date, dateTime or period by its days: `2024-01-03`, `2024-01-03 – 2024-04-03`. */
export function formatDays(start: string, end = ''): string {
  const day = (dateTime: string) => formatDate(dateTime.split('T')[0] ?? dateTime);
  return end === '' ? day(start) : `${day(start)} – ${day(end)}`;
}

/** Formats the same for tooltips: a dateTime with its time and zone, a date as written. */
export function exactDays(start: string, end = ''): string {
  const formatExact = (dateTime: string) =>
    dateTime.includes('T') ? exactTime(dateTime) : formatDate(dateTime);
  return [start, end].filter(Boolean).map(formatExact).join(' – ');
}

export function isSameDay(left: number, right: number): boolean {
  return localDay(left) === localDay(right);
}

function formatInstant(instant: string, format: (time: number) => string): string {
  const time = Date.parse(instant);
  return Number.isNaN(time) ? instant : format(time);
}
