import { expect, test } from 'vitest';
import {
  indexedParametersOf,
  indexKey,
  isSingle,
  keyNumber,
  modifierList,
  getSelectivity,
  resultParametersOf,
  searchParameterOf,
  searchParameters,
  subjectKeys,
} from './search-parameters.ts';

const namesOf = (parameters: readonly { readonly name: string }[]) => parameters.map(({ name }) => name);

test('lists up to 12 types and combines more into [type]', () => {
  const types = (count: number) => Array.from({ length: count }, (_, index) => `Type${index}`);
  expect(modifierList(['Patient', 'missing'])).toEqual([':Patient', ':missing']);
  expect(modifierList([...types(12), 'missing'])).toHaveLength(13);
  expect(modifierList([...types(13), 'missing'])).toEqual([':[type]', ':missing']);
  expect(modifierList(['ofType'])).toEqual([':ofType']);
});

test('returns the result parameters of an interaction', () => {
  expect(namesOf(resultParametersOf('history'))).toEqual([
    '_count',
    '_cursor',
    '_since',
    '_format',
    '_pretty',
  ]);
  expect(namesOf(resultParametersOf('read'))).toEqual(['_summary', '_elements', '_format', '_pretty']);
});

test('uses the rows of the original for an alias, and none for a column', () => {
  const patient = searchParameterOf('CarePlan', 'patient');
  expect(patient && indexKey('CarePlan', patient)).toBe('CarePlan.subject');
  const indexedNames = namesOf(indexedParametersOf('CarePlan'));
  expect(indexedNames).toContain('subject');
  for (const name of ['patient', '_id', '_lastUpdated']) expect(indexedNames).not.toContain(name);
});

test('returns a unique number for an index key and throws for any other text', () => {
  expect(keyNumber('CarePlan.subject')).not.toBe(keyNumber('CarePlan.status'));
  expect(() => keyNumber('CarePlan.colour')).toThrow('The index key CarePlan.colour has no number');
});

test.each([
  ['CarePlan.identifier', 1],
  ['CarePlan.part-of', 2],
  ['CarePlan.encounter', 2],
  ['CarePlan.subject', 3],
  ['CarePlan.status', undefined],
  ['CarePlan.performer', undefined],
])('returns for %s the selectivity %s', (key, rarity) => {
  expect(getSelectivity(key)).toBe(rarity);
});

test('has a subject key for each type, and knows elements with at most one row', () => {
  expect(subjectKeys).toEqual(expect.arrayContaining(['CarePlan.subject', 'Composition.subject']));
  expect(isSingle('CarePlan.date')).toBe(true);
  expect(isSingle('CarePlan.activity-date')).toBe(false);
});

test('lists each name once', () => {
  expect(new Set(namesOf(searchParameters)).size).toBe(searchParameters.length);
  expect(searchParameterOf('CarePlan', 'colour')).toBeUndefined();
});

test.each([
  ['subject', ['Group', 'Patient', 'identifier', 'missing']],
  ['patient', ['identifier', 'missing']],
  ['instantiates-canonical', ['missing']],
  ['status', ['not', 'missing']],
  ['category', ['not', 'text', 'missing']],
  ['date', ['missing']],
  ['instantiates-uri', ['missing']],
  ['_id', []],
])('supports for %s the modifiers %j', (name, modifiers) => {
  expect([...(searchParameterOf('CarePlan', name)?.modifiers ?? [])].sort()).toEqual([...modifiers].sort());
});
