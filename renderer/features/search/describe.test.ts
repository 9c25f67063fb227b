import { expect, test } from 'vitest';
import { describe, targetOf } from './describe.ts';

test('a search is said in one line', () => {
  expect(
    describe({
      type: 'CarePlan',
      pairs: [
        ['subject', '17'],
        ['encounter', '4'],
        ['status:not', 'active'],
        ['date', 'ge2024'],
        ['_sort', '-date,_id'],
      ],
    }),
  ).toBe(
    'CarePlan of patient 17 in encounter 4, status is not active, date from 2024, _sort by date descending, _id ascending',
  );
});

test('a list names a search by whom it is about', () => {
  expect(
    targetOf({
      type: 'CarePlan',
      pairs: [
        ['subject', '17'],
        ['status', 'draft'],
        ['_sort', 'date'],
      ],
    }),
  ).toBe('17 · draft');
  expect(targetOf({ type: 'Composition', pairs: [] })).toBe('all');
});

test('what was asked is said in words: names, codes without their systems, instants by the clock here', () => {
  const instant = new Date(2026, 10, 22).toISOString();
  expect(
    targetOf({
      type: 'CarePlan',
      pairs: [
        ['_lastUpdated', `ge${instant}`],
        ['category', 'http://snomed.info/sct|734163000,s:c|x'],
        ['status:not', 'active'],
      ],
    }),
  ).toBe('updated from 2026-11-22 · category is 734163000, x · status is not active');
});
