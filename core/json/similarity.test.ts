import { expect, test } from 'vitest';
import { scan } from './scan.ts';
import { isSimilar, computeSimilarity } from './similarity.ts';

const likenessOf = (before: string, after: string) => computeSimilarity(scan(before).root, scan(after).root);

test.each([
  ['"a"', '"a"', 1],
  ['"a"', '"b"', 0],
  ['"1"', '1', 0],
  ['1.0', '1.00', 0],
  ['[1,"a"]', '[1,"a"]', 1],
  ['["null"]', '[null]', 0],
  ['{"id":"1","a":1}', '{"id":"1","a":2}', 1],
  ['{"id":"1","a":1}', '{"id":"2","a":1}', 0],
  ['{"id":"1","a":1}', '{"a":1}', 0],
  ['{"a":1}', '{"id":"1","a":1}', 0],
  ['{"a":1,"b":2}', '{"a":1,"b":3}', 0.5],
  ['{"a":1}', '{"b":1}', 0],
  ['{"a":[1,1]}', '{"a":[1,2]}', 0.5],
  ['{"a":1}', '{"a":1,"b":2,"c":3,"d":4}', 0.25],
  ['{"a":{"b":1}}', '{"c":{"b":1}}', 1],
  ['{}', '{}', 0],
])('computes the similarity of %s and %s as %d', (before, after, expected) => {
  expect(likenessOf(before, after)).toBe(expected);
});

test('treats nodes with half of their scalars in common as similar', () => {
  const alike = (before: string, after: string) => isSimilar(scan(before).root, scan(after).root);
  expect(alike('{"a":1,"b":2}', '{"a":1,"b":3}')).toBe(true);
  expect(alike('{"a":1,"b":2,"c":3}', '{"a":1,"b":3,"c":4}')).toBe(false);
});
