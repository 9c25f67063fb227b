import { expect, test } from 'vitest';
import { checks as words } from './checks.ts';

test.each([
  [0, 0, '0% checked'],
  [1, 3, '33% checked'],
  [999, 1000, '99% checked'],
  [3, 3, '100% checked'],
])('returns the progress of %i of %i records in whole percent', (done, total, expected) => {
  expect(words.running(done, total)).toBe(expected);
});

test('formats the number of active checks', () => {
  expect(words.howMany(0, 0)).toBe('No checks yet');
  expect(words.howMany(0, 2)).toBe('0 of 2 on');
});

test('returns the result of a test in one message', () => {
  const counts = { applied: 2, violated: 1, skipped: 0 };
  expect(words.tried(1, counts)).toBe('Tested on 1 record. Applies to 2, 1 fail, 0 could not be checked.');
  expect(words.tried(1000, counts)).toMatch(/^Tested on 1,000 records\. /);
});
