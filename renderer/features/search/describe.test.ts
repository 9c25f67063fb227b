import { expect, test } from 'vitest';
import { describe, targetOf } from './describe.ts';

test('describes a search in one line', () => {
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
    'CarePlan · patient 17 · encounter 4 · status is not active · date on or after 2024 · sorted by date, descending · then by _id, ascending',
  );
});

test('labels a search with its patient', () => {
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

test('describes criteria with names, codes without systems and local times', () => {
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
  ).toBe('updated on or after 2026-11-22 · category is 734163000 or x · status is not active');
});
