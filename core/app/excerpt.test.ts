import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import { excerptOf } from './excerpt.ts';

test.each([
  ['{"value":1.50}', 14, '{"value":1.50}'],
  ['{"value":1.50}', 13, '{"value":1.50…'],
  ['"ab😀"', 4, '"ab…'],
  ['"ab😀"', 5, '"ab😀…'],
])('cuts %s to %i characters: %s', (text, length, excerpt) => {
  expect(excerptOf(scan(text).root, length)).toBe(excerpt);
});

test('returns an empty excerpt without an element', () => {
  expect(excerptOf(undefined)).toBe('');
});
