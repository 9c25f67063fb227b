import { expect, test } from 'vitest';
import { profileRules, isProfileRule, toProfileRuleId, formatProfileRule } from './profile-rules.ts';

const name = { canonical: 'http://x/ward|1', id: 'ward' };

test.each([
  ['CarePlan.title', 'min', 'ward: CarePlan.title is missing.'],
  ['CarePlan.category:a/b', 'min', 'ward: CarePlan.category:a/b is missing.'],
  ['CarePlan.title', 'max', 'ward: CarePlan.title occurs too often.'],
  ['CarePlan.title', 'type', 'ward: CarePlan.title has a type the profile doesn’t allow.'],
  ['CarePlan.title', 'code', 'ward: CarePlan.title has a code the profile doesn’t allow.'],
  ['CarePlan.title', 'length', 'ward: CarePlan.title is longer than the profile allows.'],
  ['CarePlan.title', 'closed', 'ward: CarePlan.title matches no slice, and other values aren’t allowed.'],
  ['CarePlan.title', 'ward-1', 'ward: CarePlan.title fails the constraint ward-1.'],
  ['CarePlan.title', 'toString', 'ward: CarePlan.title fails the constraint toString.'],
])('formats the rule of %s and %s without a finding', (element, demand, sentence) => {
  const rule = toProfileRuleId(name, element, demand);
  expect(rule).toBe(`profile/ward#${element}/${demand}`);
  expect(isProfileRule(rule)).toBe(true);
  expect(formatProfileRule(rule)).toBe(sentence);
});

test.each([
  'empty',
  'schema-code',
  'profile/',
  'profile/ward',
  'profile/#CarePlan.title/min',
  'x/profile/a#b/min',
])('formats no rule for %s, which is not a profile rule', (rule) => {
  expect(formatProfileRule(rule)).toBeUndefined();
});

test('leaves no placeholder in a sentence without detail', () => {
  const sentences = Object.keys(profileRules).map((demand) =>
    formatProfileRule(toProfileRuleId(name, 'CarePlan.title', demand)),
  );
  expect(sentences.filter((sentence) => sentence?.includes('{'))).toEqual([]);
});
