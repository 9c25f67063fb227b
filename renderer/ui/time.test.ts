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
  writtenDays,
} from './time.ts';

const local = (day: number, hour: number) => new Date(2026, 2, day, hour, 2, 9).toISOString();
const noon = new Date(2026, 2, 10, 12).getTime();

test('an instant is its local day and minute', () => {
  expect(localTime(local(9, 4))).toBe('2026-03-09 04:02');
  expect(localDay(new Date(2026, 0, 3))).toBe('2026-01-03');
  expect(ruleDay(Date.UTC(2026, 0, 3, 23, 59))).toBe('2026-01-03');
  expect(ruleDay(Date.UTC(2026, 0, 3))).toBe('2026-01-03');
});

test('a clock shows the hour of today, and the day before any other', () => {
  expect(clockTime(local(10, 9), noon)).toBe('09:02');
  expect(clockTime(local(9, 14), noon)).toBe('2026-03-09 14:02');
});

test('the clock of a log shows seconds', () => {
  expect(clockTime(local(10, 0), noon, 'second')).toBe('00:02:09');
  expect(clockTime(local(9, 14), noon, 'second')).toBe('2026-03-09 14:02:09');
});

test.each([
  ['2026-03-10T11:59:30Z', 'just now'],
  ['2026-03-10T12:00:05Z', 'just now'],
  ['2026-03-10T11:55:00Z', '5 min ago'],
  ['2026-03-10T09:30:00Z', '2 h ago'],
  ['2026-03-08T11:00:00Z', '2 d ago'],
  ['2025-11-03T12:00:00Z', '2025-11-03'],
])('%s reads %s', (instant, words) => {
  expect(relativeTime(instant, Date.parse('2026-03-10T12:00:00Z'))).toBe(words);
});

test('the exact time names its second and its zone', () => {
  expect(exactTime(local(9, 14))).toMatch(/^9 Mar 2026, 14:02:09 \S+$/);
});

test.each([localTime, clockTime, exactTime, (words: string) => relativeTime(words, noon)])(
  'what is no instant is shown as it is: %o',
  (show) => {
    expect(show('not a time')).toBe('not a time');
    expect(show('')).toBe('');
  },
);

test('a date, and a period, are the days as written', () => {
  expect(writtenDays('2017-03')).toBe('2017-03');
  expect(writtenDays('2017-03-21T23:37:54+00:00', '2017-05-27')).toBe('2017-03-21 – 2017-05-27');
});

test('a tooltip has the time of those days, where there is one', () => {
  expect(exactDays('2017-03')).toBe('2017-03');
  expect(exactDays(local(9, 14), '2026-04')).toMatch(/^9 Mar 2026, 14:02:09 \S+ – 2026-04$/);
});

describe('in another language', () => {
  afterEach(() => dateLanguage.set('iso'));

  test.each([
    ['en-GB', '9 Mar 2026 04:02', '9 Mar 2026 – May 2026'],
    ['en-US', 'Mar 9, 2026 4:02 AM', 'Mar 9, 2026 – May 2026'],
    ['de', '09.03.2026 04:02', '09.03.2026 – 05/2026'],
    ['fr', '09/03/2026 04:02', '09/03/2026 – 05/2026'],
  ] as const)(
    '%s writes instants, and FHIR dates to the part that is written',
    (language, instant, period) => {
      dateLanguage.set(language);
      // Releases of the engine part the hour from its half of the day by different spaces.
      expect(localTime(local(9, 4)).replaceAll(/\s/g, ' ')).toBe(instant);
      expect(writtenDays('2026-03-09T23:30:00-08:00', '2026-05')).toBe(period);
      expect(writtenDays('2026')).toBe('2026');
      expect(writtenDays('soon')).toBe('soon');
    },
  );

  test('data keeps its days', () => {
    dateLanguage.set('de');
    expect(localDay(new Date(2026, 0, 3))).toBe('2026-01-03');
  });
});
