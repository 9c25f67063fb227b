import { expect, test } from 'vitest';
import { derivations, isPartOf, rulesPart, rulesStamp, sortPart, textsStamp } from './derivations.ts';

const stampOf = (name: string) => derivations.find((one) => one.name === name)?.stamp;

test('each part is there once, and its stamp is 64 bits', () => {
  expect(new Set(derivations.map(({ name }) => name)).size).toBe(derivations.length);
  for (const { stamp } of [...derivations, { stamp: textsStamp }]) expect(stamp).toMatch(/^[0-9a-f]{16}$/);
});

test('what is made in another way has another stamp', () => {
  const rules = stampOf(rulesPart('CarePlan'));
  expect(rules).toBe(stampOf(rulesPart('Composition')));
  expect(rules?.startsWith(rulesStamp)).toBe(true);
  const others = ['CarePlan.status', 'CarePlan.subject', sortPart('CarePlan'), sortPart('Composition')];
  expect(new Set([rules, ...others.map(stampOf)]).size).toBe(5);
});

test.each([
  ['CarePlan.subject', true],
  ['CarePlan/rules', true],
  ['Composition.subject', false],
  ['CarePlanner.subject', false],
])('%s is a part of care plans: %s', (name, is) => {
  expect(isPartOf(name, 'CarePlan')).toBe(is);
});
