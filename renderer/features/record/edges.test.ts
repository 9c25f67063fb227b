import { expect, test } from 'vitest';
import { inspectorWidth, keptWithin, readingShare } from './edges.ts';

test.each([
  [400, 400],
  [300.4, 300],
  [1e9, 720],
  [-5, 240],
  [null, 320],
  ['wide', 320],
])('of %j that was kept the inspector is %i pixels wide', (kept, width) => {
  expect(keptWithin(inspectorWidth, kept)).toBe(width);
});

test.each([
  [null, 50],
  ['60', 50],
  [60.4, 60],
  [5, 25],
  [99, 75],
])('of %j that was kept the reading view has %d per cent', (kept, share) => {
  expect(keptWithin(readingShare, kept)).toBe(share);
});
