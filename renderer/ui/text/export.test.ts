import { expect, test } from 'vitest';
import { exportText } from './export.ts';

test('names the number of records by the plural of their type', () => {
  expect(exportText.all('CarePlan', 1, false)).toBe('All 1 CarePlan');
  expect(exportText.all('Composition', 2036, false)).toBe('All 2,036 Compositions');
  expect(exportText.all('Composition', 500, true)).toBe('All Compositions of this search');
});

test('says how many of the found records were exported', () => {
  expect(exportText.done('CarePlan', 1, 'a.csv', 1)).toBe('1 CarePlan exported to a.csv');
  expect(exportText.done('CarePlan', 2, 'a.csv', undefined)).toBe('2 CarePlans exported to a.csv');
  expect(exportText.done('CarePlan', 1, 'a.csv', 2)).toBe('1 of 2 CarePlans exported to a.csv');
  expect(exportText.repeated('2 CarePlans exported to a.csv', 1)).toBe(
    '2 CarePlans exported to a.csv. 1 record that the server listed again was skipped.',
  );
});
