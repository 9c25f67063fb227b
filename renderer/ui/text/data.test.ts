import { expect, test } from 'vitest';
import { data } from './data.ts';

const { import: words, training } = data;
const none = { stored: 0, unchanged: 0, refused: 0, skipped: 0, kept: 0, replaced: 0 };

test.each([
  [{ stored: 2 }, '2 of 2 records stored.'],
  [{ stored: 1, refused: 1 }, '1 of 2 records stored, 1 refused.'],
  [
    { stored: 1, unchanged: 2, skipped: 3 },
    '1 of 6 records stored, 2 there already, 3 of other types skipped.',
  ],
  [{ stored: 1, kept: 1 }, '1 of 1 record stored, 1 companion kept.'],
  [{ kept: 1, replaced: 2 }, '0 of 0 records stored, 3 companions kept, 2 in the place of others.'],
])('an import that counts %o says so, and nothing of what did not happen', (counts, said) => {
  expect(words.done({ ...none, ...counts }, false)).toBe(said);
});

test('a dry run says what would be, and that nothing was', () => {
  expect(words.done({ ...none, stored: 1, kept: 1 }, true)).toBe(
    'Dry run: 1 of 1 record would be stored, 1 companion would be kept. Nothing was stored.',
  );
});

test('records with issues, and records beside the training data, are said in the right number', () => {
  expect(words.worklist(1)).toBe('1 has issues: open the worklist');
  expect(words.worklist(1200)).toBe('1,200 have issues: open the worklist');
  expect(training.reset.others(1)).toBe('1 of them is not training data.');
  expect(training.reset.others(2)).toBe('2 of them are not training data.');
});
