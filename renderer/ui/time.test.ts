import { afterEach, describe, expect, test } from 'vitest';
import { dateLanguage } from './date-language.ts';
import {
  clockTime,
  exactDays,
  exactTime,
  localDay,
  ruleDay,
  localTime,
  relativeTime,
  formatDays,
} from './time.ts';

const toLocalInstant = (day: number, hour: number) => new Date(2026, 2, day, hour, 2, 9).toISOString();
const noon = new Date(2026, 2, 10, 12).getTime();

test('formats the local day and minute of an instant', () => {
  expect(localTime(toLocalInstant(9, 4))).toBe('2026-03-09 04:02');
  expect(localDay(new Date(2026, 0, 3))).toBe('2026-01-03');
  expect(ruleDay(Date.UTC(2026, 0, 3, 23, 59))).toBe('2026-01-03');
  expect(ruleDay(Date.UTC(2026, 0, 3))).toBe('2026-01-03');
});

test('shows the time of today, and the day before another time', () => {
  expect(clockTime(toLocalInstant(10, 9), noon)).toBe('09:02');
  expect(clockTime(toLocalInstant(9, 14), noon)).toBe('2026-03-09 14:02');
});

test('shows seconds in the clock of a log', () => {
  expect(clockTime(toLocalInstant(10, 0), noon, 'second')).toBe('00:02:09');
  expect(clockTime(toLocalInstant(9, 14), noon, 'second')).toBe('2026-03-09 14:02:09');
});

test.each([
  ['2026-03-10T11:59:30Z', 'just now'],
  ['2026-03-10T12:00:05Z', 'just now'],
  ['2026-03-10T11:55:00Z', '5 min ago'],
  ['2026-03-10T09:30:00Z', '2 h ago'],
  ['2026-03-08T11:00:00Z', '2 d ago'],
  ['2025-11-03T12:00:00Z', '2025-11-03'],
])('formats %s as %s', (instant, expected) => {
  expect(relativeTime(instant, Date.parse('2026-03-10T12:00:00Z'))).toBe(expected);
});

test('shows the second and the zone of an exact time', () => {
  expect(exactTime(toLocalInstant(9, 14))).toMatch(/^9 Mar 2026, 14:02:09 \S+$/);
});

test.each([localTime, clockTime, exactTime, (value: string) => relativeTime(value, noon)])(
  'returns text that is not an instant unchanged: %o',
  (format) => {
    expect(format('not a time')).toBe('not a time');
    expect(format('')).toBe('');
  },
);

test('formats dates and periods as written', () => {
  expect(formatDays('2017-03')).toBe('2017-03');
  expect(formatDays('2017-03-21T23:37:54+00:00', '2017-05-27')).toBe('2017-03-21 – 2017-05-27');
});

test('shows the time of a period in a tooltip', () => {
  expect(exactDays('2017-03')).toBe('2017-03');
  expect(exactDays(toLocalInstant(9, 14), '2026-04')).toMatch(/^9 Mar 2026, 14:02:09 \S+ – 2026-04$/);
});

describe('in another language', () => {
  afterEach(() => dateLanguage.set('iso'));

  test.each([
    ['en-GB', '9 Mar 2026 04:02', '9 Mar 2026 – May 2026'],
    ['en-US', 'Mar 9, 2026 4:02 AM', 'Mar 9, 2026 – May 2026'],
    ['de', '09.03.2026 04:02', '09.03.2026 – 05/2026'],
    ['fr', '09/03/2026 04:02', '09/03/2026 – 05/2026'],
  ] as const)('formats instants and partial FHIR dates in %s', (language, instant, period) => {
    dateLanguage.set(language);
    // Releases of the engine part the hour from its half of the day by different spaces.
    expect(localTime(toLocalInstant(9, 4)).replaceAll(/\s/g, ' ')).toBe(instant);
    expect(formatDays('2026-03-09T23:30:00-08:00', '2026-05')).toBe(period);
    expect(formatDays('2026')).toBe('2026');
    expect(formatDays('soon')).toBe('soon');
  });

  test('keeps the format of data', () => {
    dateLanguage.set('de');
    expect(localDay(new Date(2026, 0, 3))).toBe('2026-01-03');
  });
});
