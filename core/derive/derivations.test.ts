import { expect, test } from 'vitest';
import {
  derivations,
  isPartOf,
  rulesPart,
  rulesFingerprint,
  sortPart,
  textsFingerprint,
} from './derivations.ts';

const stampOf = (name: string) => derivations.find((part) => part.name === name)?.stamp;

test('lists each part once, with a fingerprint of 64 bits', () => {
  expect(new Set(derivations.map(({ name }) => name)).size).toBe(derivations.length);
  for (const { stamp } of [...derivations, { stamp: textsFingerprint }])
    expect(stamp).toMatch(/^[0-9a-f]{16}$/);
});

test('changes the fingerprint with the derivation', () => {
  const rules = stampOf(rulesPart('CarePlan'));
  expect(rules).toBe(stampOf(rulesPart('Composition')));
  expect(rules?.startsWith(rulesFingerprint)).toBe(true);
  const otherParts = ['CarePlan.status', 'CarePlan.subject', sortPart('CarePlan'), sortPart('Composition')];
  expect(new Set([rules, ...otherParts.map(stampOf)]).size).toBe(5);
});

test.each([
  ['CarePlan.subject', true],
  ['CarePlan/rules', true],
  ['Composition.subject', false],
  ['CarePlanner.subject', false],
])('recognizes %s as a part of CarePlan: %s', (name, isPart) => {
  expect(isPartOf(name, 'CarePlan')).toBe(isPart);
});
