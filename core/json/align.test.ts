import { expect, test } from 'vitest';
import { align } from './align.ts';
import type { JsonNode } from './node.ts';
import { scan } from './scan.ts';

const itemsOf = (text: string): readonly JsonNode[] => {
  const { root } = scan(text);
  if (root.kind !== 'array') throw new TypeError('This is no array.');
  return root.items;
};

test.each([
  ['["a","b"]', '["b","c","d"]', [[1, 0]]],
  ['["a","b"]', '["c","a"]', [[0, 1]]],
  [
    '["a","b"]',
    '["c","a","d","b"]',
    [
      [0, 1],
      [1, 3],
    ],
  ],
  // Equal ends are paired first: an equal item before them is another one.
  [
    '["a","x","t"]',
    '["a","t","y","t"]',
    [
      [0, 0],
      [2, 3],
    ],
  ],
])('from %s to %s nothing has moved', (before, after, pairs) => {
  expect(align(itemsOf(before), itemsOf(after))).toMatchObject({ pairs, moved: false });
});

test('items are the same in whatever order their members stand', () => {
  const one = '{"a":1,"b":2}';
  const other = '{"b":2,"a":1}';
  const { pairs } = align(itemsOf(`[${one},${one}]`), itemsOf(`[${other},${other}]`));
  expect(pairs).toEqual([
    [0, 0],
    [1, 1],
  ]);
});
