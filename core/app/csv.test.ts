import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test('cells with commas, quotes and line ends are quoted, quotes doubled', () => {
  expect(csvLine(['a', 'b,c', 'say "x"', 'one\ntwo', '', 7])).toBe('a,"b,c","say ""x""","one\ntwo",,7\r\n');
});

test.each(['=1+1', '+1', '-1', '@x', '\t=1', '=HYPERLINK("a,b")'])('%j is no formula any more', (value) => {
  expect(csvLine([value]).replace(/^"/, '').startsWith("'")).toBe(true);
});

test('a negative number that is a number stays one', () => {
  expect(csvLine([-5])).toBe('-5\r\n');
});
