import { expect, test } from 'vitest';
import { demands, isProfileRule, ruleOfDemand, sentenceOfDemand } from './demands.ts';

const name = { canonical: 'http://x/ward|1', id: 'ward' };

test.each([
  ['CarePlan.title', 'min', 'ward: CarePlan.title is missing.'],
  ['CarePlan.category:a/b', 'min', 'ward: CarePlan.category:a/b is missing.'],
  ['CarePlan.title', 'max', 'ward: CarePlan.title stands too often.'],
  ['CarePlan.title', 'type', 'ward: CarePlan.title has another type than the profile allows.'],
  ['CarePlan.title', 'code', 'ward: CarePlan.title has a code that the profile does not allow.'],
  ['CarePlan.title', 'length', 'ward: CarePlan.title is longer than the profile allows.'],
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

test('no sentence of a rule alone waits for a detail', () => {
  const sentences = Object.keys(demands).map((demand) =>
    sentenceOfDemand(ruleOfDemand(name, 'CarePlan.title', demand)),
  );
  expect(sentences.filter((sentence) => sentence?.includes('[]'))).toEqual([]);
});
