import { expect, test } from 'vitest';
import { parsePointer } from './pointer.ts';
import { headOf, resolveNearest } from './nearest-element.ts';
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
])('resolves %s to %s, shown as %s', (pointer, expectedPointer, expectedText) => {
  const nearest = resolveNearest(scan(text).root, parsePointer(pointer) ?? []);
  expect(nearest.tokens).toEqual(parsePointer(expectedPointer));
  const { start, end } = headOf(nearest);
  expect(text.slice(start, end)).toBe(expectedText);
});
