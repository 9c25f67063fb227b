import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import { excerptOf } from './excerpt.ts';

test.each([
  ['{"value":1.50}', 14, '{"value":1.50}'],
  ['{"value":1.50}', 13, '{"value":1.50…'],
  ['"ab😀"', 4, '"ab…'],
  ['"ab😀"', 5, '"ab😀…'],
])('%s in %i characters is %s', (text, length, excerpt) => {
  expect(excerptOf(scan(text).root, length)).toBe(excerpt);
});

test('where there is no element the excerpt is empty', () => {
  expect(excerptOf(undefined)).toBe('');
});
