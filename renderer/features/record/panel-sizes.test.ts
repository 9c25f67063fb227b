import { expect, test } from 'vitest';
import { inspectorWidth, clampSize, readingShare } from './panel-sizes.ts';

test.each([
  [400, 400],
  [300.4, 300],
  [1e9, 720],
  [-5, 240],
  [null, 320],
  ['wide', 320],
])('clamps the stored inspector width %j to %i pixels', (storedSize, width) => {
  expect(clampSize(inspectorWidth, storedSize)).toBe(width);
});

test.each([
  [null, 50],
  ['60', 50],
  [60.4, 60],
  [5, 25],
  [99, 75],
])('clamps the stored reading share %j to %d percent', (storedSize, share) => {
  expect(clampSize(readingShare, storedSize)).toBe(share);
});
