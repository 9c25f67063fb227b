import { expect, test } from 'vitest';
import { formatPointer } from './pointer.ts';
import { locateOffset } from './cursor-location.ts';

/** Returns the location of the bar in a text. */
function locateBar(marked: string) {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { role, tokens, names, start, end } = locateOffset(text, offset);
  return [role, formatPointer(tokens), text.slice(start, end), names.join(' ')];
}

test.each([
  ['{"sta|tus": "active", "id": "1"}', ['name', '/status', '"status"', 'id']],
  ['{"status": "act|ive"}', ['value', '/status', '"active"', 'status']],
  ['{"a": [{"b": 1}, {"c": 1|0}]}', ['value', '/a/1/c', '10', 'c']],
  ['{"a": [1, |]}', ['value', '/a/1', '', '']],
  ['{"a": [1|, 2]}', ['value', '/a/0', '1', '']],
  ['{"a": {|}, "z": 1}', ['name', '/a', '', '']],
  ['{"a": 1, | "z": 1}', ['name', '', '', 'a z']],
  ['{"a": |}', ['value', '/a', '', 'a']],
  ['{"a": 1 |}', ['between', '/a', '', 'a']],
  ['|{"a": 1}', ['between', '', '', '']],
  ['{"a": {"b": 1}|}', ['between', '/a', '', 'a']],
])('locates the cursor in %s', (marked, expected) => {
  expect(locateBar(marked)).toEqual(expected);
});

test.each([
  ['{"a": 1 "b|": 2, "c": 3}', ['name', '/b', '"b"', 'a c']],
  ['{"a" "x|", "b": 2}', ['value', '/a', '"x"', 'a b']],
  ['{"a": "x|\n "b": 2}', ['value', '/a', '"x', 'a b']],
  ['{"a": [{"b": 1, "|', ['name', '/a/0/', '"', 'b']],
  ['{"a": {"b": "|', ['value', '/a/b', '"', 'b']],
  ['{"a": tr|', ['value', '/a', 'tr', 'a']],
  ['{"a": 1}}, "b|', ['value', '', '"b', '']],
  ['|', ['between', '', '', '']],
])('locates the cursor in incomplete text %s', (marked, expected) => {
  expect(locateBar(marked)).toEqual(expected);
});
