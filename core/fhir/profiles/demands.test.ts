import { expect, test } from 'vitest';
import { isProfileRule, ruleOfDemand, sentenceOfDemand } from './demands.ts';

const name = { canonical: 'http://x/ward|1', id: 'ward' };

test.each([
  ['CarePlan.title', 'min', 'ward: CarePlan.title is missing as the profile says.'],
  ['CarePlan.category:a/b', 'min', 'ward: CarePlan.category:a/b is missing as the profile says.'],
  ['CarePlan.title', 'max', 'ward: CarePlan.title stands too often as the profile says.'],
  ['CarePlan.title', 'type', 'ward: CarePlan.title has another type as the profile says.'],
  ['CarePlan.title', 'closed', 'ward: CarePlan.title is in none of the slices, and others are not allowed.'],
  ['CarePlan.title', 'ward-1', 'ward: CarePlan.title breaks the invariant ward-1.'],
  ['CarePlan.title', 'toString', 'ward: CarePlan.title breaks the invariant toString.'],
])('what %s demands by %s is said by its rule alone', (element, demand, sentence) => {
  const rule = ruleOfDemand(name, element, demand);
  expect(rule).toBe(`profile/ward#${element}/${demand}`);
  expect(isProfileRule(rule)).toBe(true);
  expect(sentenceOfDemand(rule)).toBe(sentence);
});

test.each([
  'empty',
  'schema-code',
  'profile/',
  'profile/ward',
  'profile/#CarePlan.title/min',
  'x/profile/a#b/min',
])('%s is no demand of a profile, and has no sentence', (rule) => {
  expect(sentenceOfDemand(rule)).toBeUndefined();
});
