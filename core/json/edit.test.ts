import { expect, test } from 'vitest';
import { setMemberAt, renameMember, replaceNode, removeElement } from './edit.ts';
import { serializeNode, type JsonNode } from './node.ts';
import { parsePointer } from './pointer.ts';
import { scan } from './scan.ts';

const text = '{"a":[1.0,{"b":2}],"c":{"d":3}}';
const value = scan('"x"').root;

/** Returns the text after a change, which must not mutate the tree. */
function applyChange(
  change: (root: JsonNode, tokens: readonly string[]) => JsonNode,
  pointer: string,
): string {
  const { root } = scan(text);
  const after = serializeNode(change(root, parsePointer(pointer) ?? []));
  expect(serializeNode(root)).toBe(text);
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
])('replaces the element at %j', (pointer, after) => {
  expect(applyChange((root, tokens) => replaceNode(root, tokens, value), pointer)).toBe(after);
});

test.each([
  ['{"a":1}', 'x'],
  ['[1]', '1'],
  ['1', 'x'],
])('returns the same tree if %s has no element %s', (original, token) => {
  const { root } = scan(original);
  expect(replaceNode(root, [token], value)).toBe(root);
});

test.each([
  ['/c', 'e', '{"a":[1.0,{"b":2}],"c":{"d":3,"e":"x"}}'],
  ['/c', 'd', '{"a":[1.0,{"b":2}],"c":{"d":"x"}}'],
  ['/a/1', 'e', '{"a":[1.0,{"b":2,"e":"x"}],"c":{"d":3}}'],
  ['', 'e', '{"a":[1.0,{"b":2}],"c":{"d":3},"e":"x"}'],
  ['/a', 'e', text],
  ['/x', 'e', text],
])('sets in %j the member %s', (pointer, key, after) => {
  expect(applyChange((root, tokens) => setMemberAt(root, tokens, key, value), pointer)).toBe(after);
});

test.each([
  ['/c/d', '{"a":[1.0,{"b":2}],"c":{"é":3}}'],
  ['/a', '{"é":[1.0,{"b":2}],"c":{"d":3}}'],
  ['/a/0', text],
  ['/x', text],
])('renames the member at %j', (pointer, after) => {
  expect(applyChange((root, tokens) => renameMember(root, tokens, 'é'), pointer)).toBe(after);
});

test.each([
  ['/a/0', '{"a":[{"b":2}],"c":{"d":3}}'],
  ['/a/1/b', '{"a":[1.0],"c":{"d":3}}'],
  ['/c/d', '{"a":[1.0,{"b":2}]}'],
  ['/a', '{"c":{"d":3}}'],
  ['/a/7', text],
  ['/x/y', text],
  ['', text],
])('removes the element at %j and parents that become empty', (pointer, after) => {
  expect(applyChange(removeElement, pointer)).toBe(after);
});

test('returns an empty record if nothing remains', () => {
  expect(serializeNode(removeElement(scan('{"a":1}').root, ['a']))).toBe('{}');
});
