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

const namesOf = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);

test('few types are a list to choose from, many are any', () => {
  const types = (count: number) => Array.from({ length: count }, (_, at) => `Type${at}`);
  expect(modifierList(['Patient', 'missing'])).toEqual([':Patient', ':missing']);
  expect(modifierList([...types(12), 'missing'])).toHaveLength(13);
  expect(modifierList([...types(13), 'missing'])).toEqual([':[type]', ':missing']);
  expect(modifierList(['ofType'])).toEqual([':ofType']);
});

test('the parameters that shape an answer are those of its interaction', () => {
  expect(namesOf(resultParametersOf('history'))).toEqual([
    '_count',
    '_cursor',
    '_since',
    '_format',
    '_pretty',
  ]);
  expect(namesOf(resultParametersOf('read'))).toEqual(['_summary', '_elements', '_format', '_pretty']);
});

test('an alias has the rows of its original, and a column none', () => {
  const patient = searchParameterOf('CarePlan', 'patient');
  expect(patient && indexKey('CarePlan', patient)).toBe('CarePlan.subject');
  const indexed = namesOf(indexedParametersOf('CarePlan'));
  expect(indexed).toContain('subject');
  for (const name of ['patient', '_id', '_lastUpdated']) expect(indexed).not.toContain(name);
});

test('an index key has a number of its own, and another text none', () => {
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
])('a value of %s is as rare as %s', (key, rarity) => {
  expect(getSelectivity(key)).toBe(rarity);
});

test('each type has a key of whom its records are about, and one time where it has one at most', () => {
  expect(subjectKeys).toEqual(expect.arrayContaining(['CarePlan.subject', 'Composition.subject']));
  expect(isSingle('CarePlan.date')).toBe(true);
  expect(isSingle('CarePlan.activity-date')).toBe(false);
});

test('of all parameters each name is there once', () => {
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
])('%s takes the modifiers %j', (name, modifiers) => {
  expect([...(searchParameterOf('CarePlan', name)?.modifiers ?? [])].sort()).toEqual([...modifiers].sort());
});
