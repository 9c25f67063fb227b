import { expect, test } from 'vitest';
import { percentOf } from './rebuild.ts';

test.each([
  [0, 0, 0],
  [0, 3, 0],
  [1, 3, 33],
  [999, 1000, 99],
  [3, 3, 100],
])('reports %i of %i records as %i %%', (done, total, percent) => {
  expect(percentOf({ done, total })).toBe(percent);
});
