import { expect, test } from 'vitest';
import {
  clockTime,
  countOf,
  formatBytes,
  formatCount,
  formatPeriod,
  relativeTime,
  shortReference,
  shownReference,
} from './format.ts';

const now = Date.parse('2026-03-10T12:00:00Z');

test.each([
  ['2026-03-10T11:59:30Z', 'just now'],
  ['2026-03-10T12:00:05Z', 'just now'],
  ['2026-03-10T11:55:00Z', '5 min ago'],
  ['2026-03-10T09:30:00Z', '2 h ago'],
  ['2026-03-08T11:00:00Z', '2 d ago'],
  ['2025-11-03T12:00:00Z', '2025-11-03'],
  ['not a time', 'not a time'],
])('%s reads %s', (instant, words) => {
  expect(relativeTime(instant, now)).toBe(words);
});

test('a clock shows the hour of today, and the day before any other', () => {
  const local = (day: number, hour: number) => new Date(2026, 2, day, hour, 2).toISOString();
  const noon = new Date(2026, 2, 10, 12).getTime();
  expect(clockTime(local(10, 9), noon)).toBe('09:02');
  expect(clockTime(local(9, 14), noon)).toBe('2026-03-09 14:02');
  expect(clockTime('later', noon)).toBe('later');
});

test('counts have thousands separators and a noun in the right number', () => {
  expect(formatCount(12408)).toBe('12,408');
  expect(countOf(1, 'record')).toBe('1 record');
  expect(countOf(0, 'record')).toBe('0 records');
});

test('a period shows its days, an open one its start', () => {
  expect(formatPeriod('2017-03-21T23:37:54+00:00', '2017-05-27')).toBe('2017-03-21 – 2017-05-27');
  expect(formatPeriod('2017-03', '')).toBe('2017-03');
});

test('a reference loses only the type that is expected', () => {
  expect(shortReference('Patient/17', 'Patient')).toBe('17');
  expect(shortReference('urn:uuid:17', 'Patient')).toBe('urn:uuid:17');
});

test('a column shows the id of a reference', () => {
  expect(shownReference('Patient/17', 'Patient')).toBe('17');
  expect(shownReference('urn:uuid:17', 'Patient')).toBe('17');
  expect(shownReference('Group/17', 'Patient')).toBe('Group/17');
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [173_400, '173 kB'],
  [5_242_880, '5.2 MB'],
])('%i bytes read %s', (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});
