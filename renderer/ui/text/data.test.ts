import { expect, test } from 'vitest';
import { data } from './data.ts';

const { import: words, training, settings } = data;
const noCounts = { stored: 0, unchanged: 0, refused: 0, skipped: 0, kept: 0, replaced: 0 };

test.each([
  [{ stored: 2 }, '2 of 2 records stored.'],
  [{ stored: 1, refused: 1 }, '1 of 2 records stored. 1 refused.'],
  [{ stored: 1, unchanged: 2, skipped: 3 }, '1 of 6 records stored. 2 already present. 3 skipped.'],
  [{ stored: 1, kept: 1 }, '1 of 1 record stored. 1 related resource stored.'],
  [{ kept: 1, replaced: 2 }, '0 of 0 records stored. 3 related resources stored, 2 of them replaced.'],
  [{ replaced: 1 }, '0 of 0 records stored. 1 related resource stored, replacing an earlier one.'],
])('returns a sentence for each count above 0 of an import: %o', (counts, sentences) => {
  expect(words.done({ ...noCounts, ...counts }, false)).toBe(sentences);
});

test('formats the result of a dry run', () => {
  expect(words.done({ ...noCounts, stored: 1, unchanged: 1, refused: 2, skipped: 1, kept: 1 }, true)).toBe(
    'Dry run finished. 1 of 5 records would be stored. 1 already present. 2 would be refused. 1 would be skipped. 1 related resource would be stored. Nothing was stored.',
  );
});

test('uses the singular for 1 and the plural for other counts', () => {
  expect(words.reviewIssues(1)).toBe('Review 1 record with issues');
  expect(words.reviewIssues(1200)).toBe('Review 1,200 records with issues');
  expect(words.showRecordsOfType('Composition', 1)).toBe('Show 1 Composition');
  expect(words.showRecordsOfType('CarePlan', 2)).toBe('Show 2 CarePlans');
  expect(training.reset.otherCount(1)).toBe('1 of them is not training data.');
  expect(training.reset.otherCount(2)).toBe('2 of them are not training data.');
  expect(settings.exported(1, 'a.json')).toBe('Settings exported to a.json (1 file)');
});

test('lists types with their counts', () => {
  expect(
    words.storedSupporting([
      ['Patient', 5],
      ['Goal', 3],
    ]),
  ).toBe('Stored as related resources: Patient 5, Goal 3.');
});
