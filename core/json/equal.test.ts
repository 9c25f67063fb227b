import { expect, test } from 'vitest';
import { listChanges } from './diff.ts';
import { equal } from './node.ts';
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
])('compares %s and %s: %s', (text, otherText, expected) => {
  expect(equal(node(text), node(otherText))).toBe(expected);
});

test.each([
  ['[1,2]', '[1,2,2]'],
  ['[1,2,2]', '[1,2]'],
  ['["a","a"]', '["a"]'],
])('reports one added or removed item from %s to %s', (before, after) => {
  expect(listChanges(node(before), node(after))).toHaveLength(1);
});

test('finds members and items by token, and nothing in scalars', () => {
  expect(child(node('{"0":"a"}'), '0')).toMatchObject({ value: 'a' });
  expect(child(node('["a"]'), '0')).toMatchObject({ value: 'a' });
  for (const text of ['"0"', 'null', '["a"]']) expect(child(node(text), 'x')).toBeUndefined();
  expect(child(node('["a"]'), '00')).toBeUndefined();
});
