import { expect, test } from 'vitest';
import { countOf, formatBytes, formatCount, shownReference } from './format.ts';

test('counts have thousands separators and a noun in the right number', () => {
  expect(formatCount(12408)).toBe('12,408');
  expect(countOf(1, 'record')).toBe('1 record');
  expect(countOf(0, 'record')).toBe('0 records');
});

test('a column shows the id of a reference', () => {
  expect(shownReference('Patient/17', 'Patient')).toBe('17');
  expect(shownReference('urn:uuid:17', 'Patient')).toBe('17');
  expect(shownReference('Group/17', 'Patient')).toBe('Group/17');
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [173_400, '173 kB'],
  [99_949, '99.9 kB'],
  [99_950, '100 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [5_242_880, '5.2 MB'],
  [14_200_000, '14.2 MB'],
  [2_500_000_000, '2.5 GB'],
  [1_234_000_000_000, '1234 GB'],
])('%i bytes read %s', (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});
