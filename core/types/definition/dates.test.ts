import { expect, test } from 'vitest';
import { isCalendarDate, isCertainlyAfter, timeSpan } from './dates.ts';

test.each([
  ['2024-02-29', true],
  ['2000-02-29', true],
  ['1900-02-29', false],
  ['2023-02-29', false],
  ['2023-02-30', false],
  ['2023-04-31', false],
  ['2023-12-31', true],
  ['2023-02', true],
])('checks %s against the calendar: %s', (text, real) => {
  expect(isCalendarDate(text)).toBe(real);
});

test.each([
  ['2020-01-02', '2020-01-01', true],
  ['2020-01-01', '2020-01-01', false],
  ['2020', '2020-05-01', false],
  ['2020-06', '2020-05-31', true],
  ['2021', '2020', true],
  ['2020-01-01T10:00:00Z', '2020-01-01T11:00:00+02:00', true],
  ['2020-01-01T10:00:00+02:00', '2020-01-01T09:00:00Z', false],
  ['2020-01-01T10:00:00.5Z', '2020-01-01T10:00:00Z', false],
  ['2020-01-02T10:00:00Z', '2020-01-01', false],
  ['2020-01-04T10:00:00Z', '2020-01-01', true],
  ['0051-01-01', '0050-01-01', true],
])('compares whether %s is certainly after %s: %s', (laterText, earlierText, expected) => {
  const [laterSpan, earlierSpan] = [timeSpan(laterText), timeSpan(earlierText)];
  expect(laterSpan && earlierSpan && isCertainlyAfter(laterSpan, earlierSpan)).toBe(expected);
});

test.each([
  ['2020-01-01T10:00:00Z', 0, 999],
  ['2020-01-01T10:00:00.25Z', 250, 250],
  [`2020-01-01T10:00:00.5${'0'.repeat(4100)}Z`, 500, 500],
])('reads %s as milliseconds %i to %i of its second', (text, firstMs, lastMs) => {
  const secondMs = Date.UTC(2020, 0, 1, 10);
  expect(timeSpan(text)).toEqual({ startMs: secondMs + firstMs, endMs: secondMs + lastMs, zoned: true });
});

test.each([
  '2020-02-30',
  '2020-1-1',
  'x',
  '',
  5,
  null,
  '2020-01-01T10:00',
  2020,
  ['2020'],
  '2020-01-01T10:00:00.Z',
])('rejects %j as date', (value) => {
  expect(timeSpan(value)).toBeUndefined();
});
