import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test('quotes cells with commas, quotes and line ends, and doubles quotes', () => {
  expect(csvLine(['a', 'b,c', 'say "x"', 'one\ntwo', '', 7])).toBe('a,"b,c","say ""x""","one\ntwo",,7\r\n');
});

test.each(['=1+1', '+1', '-1', '@x', '\t=1', '=HYPERLINK("a,b")'])(
  'prevents %j from being read as a formula',
  (value) => {
    expect(csvLine([value]).replace(/^"/, '').startsWith("'")).toBe(true);
  },
);

test.each([
  ['safe;=2+2', `"safe;'=2+2"`],
  ['safe; =2+2', `"safe; '=2+2"`],
  ['safe;"=2+2"', `"safe;""'=2+2"""`],
  ['safe|@x', `"safe|'@x"`],
  ['safe\t+1', `"safe\t'+1"`],
  ['one\n-1', `"one\n'-1"`],
  ['one\r\n=1', `"one\r\n'=1"`],
  [' =1', ` '=1`],
  ['\uFF1D1+1', `'\uFF1D1+1`],
  ['\uFF0B1', `'\uFF0B1`],
  ['a;\uFF0D1', `"a;'\uFF0D1"`],
  ['\uFF20x', `'\uFF20x`],
])('disarms %j as %j for every list separator', (value, expected) => {
  expect(csvLine([value])).toBe(`${expected}\r\n`);
});

test.each(['a=b', '2+2', 'x-1;y-2', 'a, -5 % weight', 'one@x.example'])('leaves %j unchanged', (value) => {
  expect(csvLine([value]).replaceAll('"', '')).toBe(`${value}\r\n`);
});

test('writes a negative number without an apostrophe', () => {
  expect(csvLine([-5])).toBe('-5\r\n');
});
