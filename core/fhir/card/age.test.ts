import { expect, test } from 'vitest';
import { ageOn } from './age.ts';

test.each([
  ['1950-02-01', '2026-01-31', { minMonths: 911, maxMonths: 911 }],
  ['1950-02-01', '2026-02-01', { minMonths: 912, maxMonths: 912 }],
  ['2025-11-24', '2026-11-23', { minMonths: 11, maxMonths: 11 }],
  ['2026-11-23', '2026-11-23', { minMonths: 0, maxMonths: 0 }],
  ['1950-02', '2026-02-01', { minMonths: 911, maxMonths: 912 }],
  ['1950', '2026-06-15', { minMonths: 905, maxMonths: 917 }],
  ['1950-02-01', '2019', { minMonths: 827, maxMonths: 838 }],
  ['2026', '2026-06-15', { minMonths: 0, maxMonths: 5 }],
])('computes the age of a person born %s, on %s, in whole months', (born, day, age) => {
  expect(ageOn(born, day)).toEqual(age);
});

test('returns no age before birth or for an invalid date', () => {
  expect(ageOn('2026-11-24', '2026-11-23')).toBeUndefined();
  expect(ageOn('soon', '2026-11-23')).toBeUndefined();
  expect(ageOn('1950-02-01', '')).toBeUndefined();
});
