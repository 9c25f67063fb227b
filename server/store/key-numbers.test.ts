import { expect, test } from 'vitest';
import { indexKey, searchParametersOf } from '../../core/api/parameters.ts';
import { resourceTypes } from '../../core/fhir/resource.ts';
import { keyNumber } from './key-numbers.ts';

const keys = resourceTypes.flatMap((type) =>
  searchParametersOf(type)
    .filter(({ column, index }) => column === undefined && index === undefined)
    .map((parameter) => indexKey(type, parameter)),
);

test('each key of the table of parameters has a number of its own', () => {
  expect(keys.length).toBeGreaterThan(0);
  expect(new Set(keys.map(keyNumber)).size).toBe(keys.length);
});

test('a key without a number is told', () => {
  expect(() => keyNumber('CarePlan.color')).toThrow('CarePlan.color');
});
