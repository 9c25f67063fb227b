import { expect, test } from 'vitest';
import { readWidth } from './inspector-width.ts';

test.each([
  [400, 400],
  [300.4, 300],
  [1e9, 720],
  [-5, 240],
  [null, 320],
  ['wide', 320],
])('of %j that was kept the inspector is %i pixels wide', (kept, width) => {
  expect(readWidth(kept)).toBe(width);
});
