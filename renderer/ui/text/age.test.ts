import { expect, test } from 'vitest';
import { formatAge } from './age.ts';

test.each([
  [{ least: 912, most: 912 }, false, '76 years old'],
  [{ least: 905, most: 917 }, false, '75–76 years old'],
  [{ least: 912, most: 912 }, true, 'died aged 76'],
  [{ least: 911, most: 923 }, true, 'died aged 75–76'],
  [{ least: 12, most: 12 }, false, '12 months old'],
  [{ least: 1, most: 1 }, false, '1 month old'],
  [{ least: 0, most: 5 }, false, '0–5 months old'],
  [{ least: 1, most: 1 }, true, 'died aged 1 month'],
  [{ least: 0, most: 1 }, true, 'died aged 0–1 months'],
])('returns an age of %o, dead: %s, as %s', (age, dead, words) => {
  expect(formatAge(age, dead)).toBe(words);
});
