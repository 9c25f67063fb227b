import { expect, test } from 'vitest';
import { scanNumber, scanString } from './scalars.ts';

test.each([
  ['"abc" ', 'abc', 5],
  ['""', '', 2],
  ['"a\\n\\"\\\\\\/\\b\\f\\r\\t"', 'a\n"\\/\b\f\r\t', 19],
  ['"x\\u00e9y"', 'xéy', 10],
  ['"\\u00E9"', 'é', 8],
  ['"é"', 'é', 3],
])('the string %j is %j', (text, value, end) => {
  expect(scanString(text, 0)).toEqual({ value, end });
});

test.each([
  ['"abc', 'A string is not closed'],
  ['"a\nb"', 'A control character stands unescaped in a string'],
  ['"\u001f"', 'A control character stands unescaped in a string'],
  ['"\\x"', 'A backslash starts no known escape'],
  ['"\\u00g0"', 'A backslash starts no known escape'],
  ['"\\u12"', 'A backslash starts no known escape'],
  ['"\\', 'A backslash starts no known escape'],
])('of %j it is said why it is no string', (text, sentence) => {
  expect(scanString(text, 0)).toBe(sentence);
});

test.each([
  ['12 ', 2],
  ['-0.50e+10,', 9],
  ['01', 1],
  ['1.', 1],
  ['1e', 1],
  ['1E-2', 4],
  ['+1', undefined],
  ['.5', undefined],
  ['-', undefined],
  [' 1', undefined],
])('the number that %j starts with ends at %s', (text, end) => {
  expect(scanNumber(text, 0)).toBe(end);
});

test('a scalar is read from where it starts', () => {
  expect(scanString('x"a"', 1)).toEqual({ value: 'a', end: 4 });
  expect(scanNumber('x12', 1)).toBe(3);
});
