import { expect, test } from 'vitest';
import { ageWords } from './age.ts';

test.each([
  [{ least: 912, most: 912 }, false, '76 years old'],
  [{ least: 905, most: 917 }, false, '75 or 76 years old'],
  [{ least: 911, most: 923 }, true, 'lived 75 or 76 years'],
  [{ least: 12, most: 12 }, false, '12 months old'],
  [{ least: 0, most: 5 }, false, '0 to 5 months old'],
  [{ least: 1, most: 1 }, true, 'lived 1 month'],
])('%o is said as a person says it', (age, dead, said) => {
  expect(ageWords(age, dead)).toBe(said);
});
