import { expect, test } from 'vitest';
import { parsePointer } from './pointer.ts';
import { headOf, reach } from './reach.ts';
import { scan } from './scan.ts';

const text = '{"a": [{"b": 1.00}, {"c/d": "x"}], "e": {}}';

test.each([
  ['/a/0/b', '/a/0/b', '"b": 1.00'],
  ['/a/1/c~1d', '/a/1/c~1d', '"c/d": "x"'],
  ['/a', '/a', '"a"'],
  ['/a/1', '/a/1', '{'],
  ['/a/1/none/deeper', '/a/1', '{'],
  ['/e/none', '/e', '"e"'],
  ['/none', '', '{'],
])('%s leads to %s, and is shown as %s', (pointer, found, shown) => {
  const reached = reach(scan(text).root, parsePointer(pointer) ?? []);
  expect(reached.tokens).toEqual(parsePointer(found));
  const { start, end } = headOf(reached);
  expect(text.slice(start, end)).toBe(shown);
});
