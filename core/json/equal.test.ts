import { expect, test } from 'vitest';
import { diff } from './diff.ts';
import { equal } from './equal.ts';
import { child } from './pointer.ts';
import { scan } from './scan.ts';

const node = (text: string) => scan(text).root;

test.each([
  ['true', 'true', true],
  ['true', 'false', false],
  ['true', '"true"', false],
  ['null', 'false', false],
  ['1.0', '1.00', false],
  ['{"a":true,"b":null}', '{"b":null,"a":true}', true],
  ['[1,2]', '[1]', false],
])('%s and %s hold the same value: %s', (left, right, same) => {
  expect(equal(node(left), node(right))).toBe(same);
});

test.each([
  ['[1,2]', '[1,2,2]'],
  ['[1,2,2]', '[1,2]'],
  ['["a","a"]', '["a"]'],
])('from %s to %s one item is added or removed', (before, after) => {
  expect(diff(node(before), node(after))).toHaveLength(1);
});

test('a token names a member of an object, an item of an array, and nothing of a value', () => {
  expect(child(node('{"0":"a"}'), '0')).toMatchObject({ value: 'a' });
  expect(child(node('["a"]'), '0')).toMatchObject({ value: 'a' });
  for (const text of ['"0"', 'null', '["a"]']) expect(child(node(text), 'x')).toBeUndefined();
  expect(child(node('["a"]'), '00')).toBeUndefined();
});
