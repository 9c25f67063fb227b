import { expect, test } from 'vitest';
import { formatAge } from './age.ts';

test.each([
  [{ minMonths: 912, maxMonths: 912 }, false, '76 years old'],
  [{ minMonths: 905, maxMonths: 917 }, false, '75–76 years old'],
  [{ minMonths: 912, maxMonths: 912 }, true, 'died aged 76'],
  [{ minMonths: 911, maxMonths: 923 }, true, 'died aged 75–76'],
  [{ minMonths: 12, maxMonths: 12 }, false, '12 months old'],
  [{ minMonths: 1, maxMonths: 1 }, false, '1 month old'],
  [{ minMonths: 0, maxMonths: 5 }, false, '0–5 months old'],
  [{ minMonths: 1, maxMonths: 1 }, true, 'died aged 1 month'],
  [{ minMonths: 0, maxMonths: 1 }, true, 'died aged 0–1 months'],
])('returns an age of %o, dead: %s, as %s', (age, dead, words) => {
  expect(formatAge(age, dead)).toBe(words);
});
