import { expect, test } from 'vitest';
import { dayNumber, dayText, isDay } from '../types/definition/dates.ts';

test.each([
  ['2026-03-01', true],
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-02-30', false],
  ['2026-13-01', false],
  ['2026-03', false],
  ['2026-3-1', false],
  ['2026-03-01T00:00:00Z', false],
  [' 2026-03-01', false],
  ['today', false],
  ['', false],
])('recognizes %j as a day: %s', (text, isDayText) => {
  expect(isDay(text)).toBe(isDayText);
});

test('converts days to numbers and back in UTC', () => {
  expect(dayNumber(0)).toBe(0);
  expect(dayNumber(-1)).toBe(-1);
  expect(dayNumber(Date.parse('2026-03-01T23:59:59.999Z'))).toBe(dayNumber(Date.parse('2026-03-01')));
  expect(dayText(dayNumber(Date.parse('2026-03-02T00:00:00Z')))).toBe('2026-03-02');
});
