import { expect, test } from 'vitest';
import { alternatives, badValue, fold, locationOf, splitAt, unescape } from './search-values.ts';

test.each([
  ['a,b', ['a', 'b']],
  ['a\\,b,c', ['a\\,b', 'c']],
  ['a\\\\,b', ['a\\\\', 'b']],
  ['', ['']],
  [',', ['', '']],
  ['a\\', ['a\\']],
])('splits %j at unescaped commas', (text, parts) => {
  expect(splitAt(text, ',')).toEqual(parts);
});

test('trims values and rejects empty ones', () => {
  expect(alternatives('x', ' a , b')).toEqual(['a', 'b']);
  expect(() => alternatives('x', 'a, ')).toThrow('The parameter x has no value.');
});

test.each([
  ['a\\,b\\|c\\$d\\\\e', 'a,b|c$d\\e'],
  ['a\\b', 'a\\b'],
])('unescapes %j to %j', (text, plain) => {
  expect(unescape(text)).toBe(plain);
});

test.each([
  ['Walk', 'walk'],
  ['ÉTÉ', 'ete'],
  ['Straße ẞ', 'strasse ss'],
  ['O’Brien ‘a’ ʼ ʹ ′ ‛', "o'brien 'a' ' ' ' '"],
  ['ﬁn ①', 'fin 1'],
  ['\u0301', '\u0301'],
  ['', ''],
])('folds %j to %j', (text, folded) => {
  expect(fold(text)).toBe(folded);
});

test.each([
  ['subject:Patient.name', 'http.subject:Patient.name'],
  ['_count', 'http._count'],
  ['1', 'http.query'],
  ['<b>', 'http.query'],
  ['a'.repeat(64), `http.${'a'.repeat(64)}`],
  ['a'.repeat(65), 'http.query'],
  ['', 'http.query'],
])('locates a problem of the parameter %j at %s', (name, location) => {
  expect(locationOf(name)).toBe(location);
  expect(badValue(name, { messageCode: 'odd', text: 'Odd.' }).problems[0]?.location).toBe(location);
});
