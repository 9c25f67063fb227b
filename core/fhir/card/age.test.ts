import { expect, test } from 'vitest';
import { ageOn } from './age.ts';

test.each([
  ['1950-02-01', '2026-01-31', { least: 911, most: 911 }],
  ['1950-02-01', '2026-02-01', { least: 912, most: 912 }],
  ['2025-11-24', '2026-11-23', { least: 11, most: 11 }],
  ['2026-11-23', '2026-11-23', { least: 0, most: 0 }],
  ['1950-02', '2026-02-01', { least: 911, most: 912 }],
  ['1950', '2026-06-15', { least: 905, most: 917 }],
  ['1950-02-01', '2019', { least: 827, most: 838 }],
  ['2026', '2026-06-15', { least: 0, most: 5 }],
])('%s on %s, in whole months', (born, day, age) => {
  expect(ageOn(born, day)).toEqual(age);
});

test('there is no age before the birth, nor of what is no date', () => {
  expect(ageOn('2026-11-24', '2026-11-23')).toBeUndefined();
  expect(ageOn('soon', '2026-11-23')).toBeUndefined();
  expect(ageOn('1950-02-01', '')).toBeUndefined();
});
