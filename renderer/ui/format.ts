const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const thousands = new Intl.NumberFormat('en-US');

/** A count with thousands separators. */
export function formatCount(count: number): string {
  return thousands.format(count);
}

/** A count with its noun: `1 record`, `24 records`. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

const kilo = 1000;

/** A number of bytes with its unit, in at most three digits: `812 B`, `12.4 kB`, `3.1 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < kilo) return `${bytes} B`;
  const [size, unit] = bytes < kilo * kilo ? [bytes / kilo, 'kB'] : [bytes / kilo / kilo, 'MB'];
  return `${size < 100 ? size.toFixed(1) : size.toFixed(0)} ${unit}`;
}

/** How long ago an instant was, in at most nine characters; a date where that says more; the text itself where it is no instant. */
export function relativeTime(instant: string, now: number): string {
  const time = Date.parse(instant);
  if (Number.isNaN(time)) return instant;
  const age = now - time;
  if (age < minute) return 'just now';
  if (age < hour) return `${Math.floor(age / minute)} min ago`;
  if (age < day) return `${Math.floor(age / hour)} h ago`;
  if (age < 7 * day) return `${Math.floor(age / day)} d ago`;
  return localDay(new Date(time));
}

function localDay(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The instant in local time to the minute: `2026-01-03 14:02`; the exact one, with its zone, belongs in a tooltip. */
export function localTime(instant: string): string {
  const time = Date.parse(instant);
  if (Number.isNaN(time)) return instant;
  const date = new Date(time);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${localDay(date)} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

const exact = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'long',
});

/** The instant in local time with its zone, for tooltips. */
export function exactTime(instant: string): string {
  const time = Date.parse(instant);
  return Number.isNaN(time) ? instant : exact.format(time);
}

const short = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** The instant in local time to the minute, for tables; the exact one belongs in its tooltip. */
export function shortTime(instant: string): string {
  const time = Date.parse(instant);
  return Number.isNaN(time) ? instant : short.format(time);
}

/** An instant as a clock shows it: `14:02` today, else with its day before it; the text itself where it is no instant. */
export function clockTime(instant: string, now: number): string {
  const time = Date.parse(instant);
  if (Number.isNaN(time)) return instant;
  const date = new Date(time);
  const two = (part: number) => String(part).padStart(2, '0');
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}`;
  const day = localDay(date);
  return day === localDay(new Date(now)) ? clock : `${day} ${clock}`;
}

/** The day of a FHIR dateTime as written, without its time. */
export function dayOf(dateTime: string): string {
  return dateTime.split('T')[0] ?? dateTime;
}

/** A date or a period in one short text: `2024-01-03`, `2024-01-03 – 2024-04-03`. */
export function formatPeriod(start: string, end: string): string {
  if (end === '') return dayOf(start);
  return `${dayOf(start)} – ${dayOf(end)}`;
}

/** What a column shows of a literal reference: the id alone, `17` of `Patient/17` and of `urn:uuid:17`. */
export function shownReference(reference: string, type: string): string {
  return shortReference(reference, type).replace(/^urn:uuid:/, '');
}

/** A literal reference without the type that its column already names: `Patient/17` becomes `17`. */
export function shortReference(reference: string, type: string): string {
  return reference.startsWith(`${type}/`) ? reference.slice(type.length + 1) : reference;
}
