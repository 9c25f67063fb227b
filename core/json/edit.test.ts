import { expect, test } from 'vitest';
import { inserted, renamed, replaced, without } from './edit.ts';
import type { JsonNode } from './node.ts';
import { parsePointer } from './pointer.ts';
import { print } from './print.ts';
import { scan } from './scan.ts';

const text = '{"a":[1.0,{"b":2}],"c":{"d":3}}';
const value = scan('"x"').root;

/** The text behind a change, which leaves the tree as it was. */
function changed(change: (root: JsonNode, tokens: readonly string[]) => JsonNode, pointer: string): string {
  const { root } = scan(text);
  const after = print(change(root, parsePointer(pointer) ?? []));
  expect(print(root)).toBe(text);
  return after;
}

test.each([
  ['/a/0', '{"a":["x",{"b":2}],"c":{"d":3}}'],
  ['/a/1/b', '{"a":[1.0,{"b":"x"}],"c":{"d":3}}'],
  ['/c', '{"a":[1.0,{"b":2}],"c":"x"}'],
  ['', '"x"'],
  ['/a/2', text],
  ['/c/d/e', text],
  ['/x', text],
])('what stands at %j is replaced', (pointer, after) => {
  expect(changed((root, tokens) => replaced(root, tokens, value), pointer)).toBe(after);
});

test.each([
  ['{"a":1}', 'x'],
  ['[1]', '1'],
  ['1', 'x'],
])('%s, in which there is no %s to be replaced, stays the tree that it is', (own, token) => {
  const { root } = scan(own);
  expect(replaced(root, [token], value)).toBe(root);
});

test.each([
  ['/c', 'e', '{"a":[1.0,{"b":2}],"c":{"d":3,"e":"x"}}'],
  ['/c', 'd', '{"a":[1.0,{"b":2}],"c":{"d":"x"}}'],
  ['/a/1', 'e', '{"a":[1.0,{"b":2,"e":"x"}],"c":{"d":3}}'],
  ['', 'e', '{"a":[1.0,{"b":2}],"c":{"d":3},"e":"x"}'],
  ['/a', 'e', text],
  ['/x', 'e', text],
])('in %j the member %s is set', (pointer, key, after) => {
  expect(changed((root, tokens) => inserted(root, tokens, key, value), pointer)).toBe(after);
});

test.each([
  ['/c/d', '{"a":[1.0,{"b":2}],"c":{"é":3}}'],
  ['/a', '{"é":[1.0,{"b":2}],"c":{"d":3}}'],
  ['/a/0', text],
  ['/x', text],
])('the member at %j gets another name', (pointer, after) => {
  expect(changed((root, tokens) => renamed(root, tokens, 'é'), pointer)).toBe(after);
});

test.each([
  ['/a/0', '{"a":[{"b":2}],"c":{"d":3}}'],
  ['/a/1/b', '{"a":[1.0],"c":{"d":3}}'],
  ['/c/d', '{"a":[1.0,{"b":2}]}'],
  ['/a', '{"c":{"d":3}}'],
  ['/a/7', text],
  ['/x/y', text],
  ['', text],
])('what stands at %j goes, and what is empty then', (pointer, after) => {
  expect(changed(without, pointer)).toBe(after);
});

test('a record of which nothing is left is empty', () => {
  expect(print(without(scan('{"a":1}').root, ['a']))).toBe('{}');
});
