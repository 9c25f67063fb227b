import { expect, test } from 'vitest';
import { scanNumber, scanString } from './scalars.ts';

test.each([
  ['"abc" ', 'abc', 5],
  ['""', '', 2],
  ['"a\\n\\"\\\\\\/\\b\\f\\r\\t"', 'a\n"\\/\b\f\r\t', 19],
  ['"x\\u00e9y"', 'xéy', 10],
  ['"\\u00E9"', 'é', 8],
  ['"é"', 'é', 3],
])('parses the string %j as %j', (text, value, end) => {
  expect(scanString(text, 0)).toEqual({ value, end });
});

test.each([
  ['"abc', 'json.unterminatedString'],
  ['"a\nb"', 'json.controlCharacter'],
  ['"\u001f"', 'json.controlCharacter'],
  ['"\\x"', 'json.invalidEscape'],
  ['"\\u00g0"', 'json.invalidEscape'],
  ['"\\u12"', 'json.invalidEscape'],
  ['"\\', 'json.invalidEscape'],
])('reports why %j is not a string', (text, messageCode) => {
  expect(scanString(text, 0)).toMatchObject({ messageCode });
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
])('ends the number at the start of %j at %s', (text, end) => {
  expect(scanNumber(text, 0)).toBe(end);
});

test('starts reading at the offset', () => {
  expect(scanString('x"a"', 1)).toEqual({ value: 'a', end: 4 });
  expect(scanNumber('x12', 1)).toBe(3);
});
