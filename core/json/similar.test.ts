import { expect, test } from 'vitest';
import { scan } from './scan.ts';
import { isAlike, likeness } from './similar.ts';

const likenessOf = (before: string, after: string) => likeness(scan(before).root, scan(after).root);

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
])('%s is to %s as near as %d', (before, after, expected) => {
  expect(likenessOf(before, after)).toBe(expected);
});

test('half of what was said is enough to be the same', () => {
  const alike = (before: string, after: string) => isAlike(scan(before).root, scan(after).root);
  expect(alike('{"a":1,"b":2}', '{"a":1,"b":3}')).toBe(true);
  expect(alike('{"a":1,"b":2,"c":3}', '{"a":1,"b":3,"c":4}')).toBe(false);
});
