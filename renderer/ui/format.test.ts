import { expect, test } from 'vitest';
import { formatBytes, formatCount, formatReference } from './format.ts';

test('formats counts with separators', () => {
  expect(formatCount(12408)).toBe('12,408');
});

test('shows the ID of a reference in a column', () => {
  expect(formatReference('Patient/17', 'Patient')).toBe('17');
  expect(formatReference('urn:uuid:17', 'Patient')).toBe('17');
  expect(formatReference('Group/17', 'Patient')).toBe('Group/17');
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
])('formats %i bytes as %s', (bytes, formatted) => {
  expect(formatBytes(bytes)).toBe(formatted);
});
