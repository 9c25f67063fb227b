import { expect, test } from 'vitest';
import { isPlainJson } from './preferences.ts';

test.each([null, 320, 'wide', { shown: ['id', 'title'], widths: { id: 100 } }])('accepts %j', (value) => {
  expect(isPlainJson(value)).toBe(true);
});

test('rejects values longer or deeper than a layout, and values that are not JSON', () => {
  const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
  for (const value of ['x'.repeat(5000), deep, undefined, () => 1, { width: undefined }, 10n]) {
    expect(isPlainJson(value)).toBe(false);
  }
});
