import { expect, test } from 'vitest';
import { alternatives, badValue, fold, locationOf, splitAt, unescape } from './search-values.ts';

test.each([
  ['a,b', ['a', 'b']],
  ['a\\,b,c', ['a\\,b', 'c']],
  ['a\\\\,b', ['a\\\\', 'b']],
  ['', ['']],
  [',', ['', '']],
  ['a\\', ['a\\']],
])('%j is split at commas that stand for themselves', (text, parts) => {
  expect(splitAt(text, ',')).toEqual(parts);
});

test('values are read without the space around them, and none of them is empty', () => {
  expect(alternatives('x', ' a , b')).toEqual(['a', 'b']);
  expect(() => alternatives('x', 'a, ')).toThrow('The parameter x has no value.');
});

test.each([
  ['a\\,b\\|c\\$d\\\\e', 'a,b|c$d\\e'],
  ['a\\b', 'a\\b'],
])('%j stands for %j', (text, plain) => {
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
])('%j is compared as %j', (text, folded) => {
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
])('what is wrong with the parameter %j stands at %s', (name, location) => {
  expect(locationOf(name)).toBe(location);
  expect(badValue(name, { messageCode: 'odd', text: 'Odd.' }).problems[0]?.location).toBe(location);
});
