import { expect, test } from 'vitest';
import { checks as words } from './checks.ts';

test.each([
  [0, 0, '0 % asked'],
  [1, 3, '33 % asked'],
  [999, 1000, '99 % asked'],
  [3, 3, '100 % asked'],
])('%i of %i records are said in whole per cent', (done, total, said) => {
  expect(words.running(done, total)).toBe(said);
});

test('checks are counted, and none is said as none', () => {
  expect(words.howMany(0, 0)).toBe('No check yet');
  expect(words.howMany(0, 2)).toBe('0 of 2 switched on');
});

test('of the elements of a finding the first is named, the others are counted', () => {
  expect(words.elements(1)).toBe('');
  expect(words.elements(2)).toBe('and 1 more');
});
