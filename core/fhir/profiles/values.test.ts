import { expect, test } from 'vitest';
import { scan } from '../../json/scan.ts';
import { compareToLimit, matchesPattern, equalsFixedValue } from './values.ts';

const nodeOf = (value: unknown) => (value === undefined ? undefined : scan(JSON.stringify(value)).root);
const hours = (value: unknown) => ({ value, system: 'http://unitsofmeasure.org', code: 'h' });

test.each<[value: unknown, limit: unknown, compared: number | undefined]>([
  [1, 2, -1],
  [2, 2, 0],
  [3.5, 2, 1],
  ['2', 2, undefined],
  [2, '2', undefined],
  [undefined, 2, undefined],
  [undefined, '2020-01-01', undefined],
  ['2019-12-31', '2020-01-01', -1],
  ['2020-01-01', '2020-01-01', 0],
  ['2020-01-02', '2020-01-01', 1],
  ['2020', '2020-01-01', undefined],
  ['2020-01-01T10:00:00Z', '2020-01-01T09:00:00Z', 1],
  ['2020-01-01T10:00:00+01:00', '2020-01-01T09:00:00+02:00', undefined],
  [hours(1), hours(2), -1],
  [hours(3), hours(2), 1],
  [hours('3'), hours(2), undefined],
  [{ ...hours(1), code: 'd' }, hours(2), undefined],
  [{ ...hours(1), system: 'x' }, hours(2), undefined],
  [{ value: 1 }, { value: 2 }, undefined],
  [{}, '2020', undefined],
  ['2020', {}, undefined],
  [hours(1), null, undefined],
])('compares %j with the limit %j as %s', (value, limit, expected) => {
  expect(compareToLimit(nodeOf(value), limit)).toBe(expected);
});

test.each<[value: unknown, wanted: unknown, isWhole: boolean, isPart: boolean]>([
  ['a', 'a', true, true],
  ['a', 'b', false, false],
  ['1', 1, false, false],
  [1.5, 1.5, true, true],
  [true, true, true, true],
  [true, 'true', false, false],
  [null, null, false, false],
  [undefined, 'a', false, false],
  [{ a: 1 }, { a: 1 }, true, true],
  [{ b: 2, a: 1 }, { a: 1, b: 2 }, true, true],
  [{ a: 1, b: 2 }, { a: 1 }, false, true],
  [{ a: 1 }, { a: 1, b: 2 }, false, false],
  [{ b: 1 }, { a: 1 }, false, false],
  ['a', { a: 1 }, false, false],
  [{ a: 1 }, 'a', false, false],
  [[1, 2], [1, 2], true, true],
  [[2, 1], [1, 2], false, true],
  [[1, 2, 3], [1, 2], false, true],
  [[1], [1, 2], false, false],
  [1, [1], false, false],
  [[1], 1, false, false],
  [[{ a: 1, b: 2 }], [{ a: 1 }], false, true],
])('compares %j with %j: equal is %s, contained is %s', (value, expected, isWhole, isPart) => {
  expect(equalsFixedValue(nodeOf(value), expected)).toBe(isWhole);
  expect(matchesPattern(nodeOf(value), expected)).toBe(isPart);
});
