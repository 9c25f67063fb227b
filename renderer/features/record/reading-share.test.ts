import { expect, test } from 'vitest';
import { readShare } from './reading-share.ts';

test.each([
  [null, 50],
  ['60', 50],
  [60.4, 60],
  [5, 25],
  [99, 75],
])('of %j that was kept the reading view has %d per cent', (kept, share) => {
  expect(readShare(kept)).toBe(share);
});
