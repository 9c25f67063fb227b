import { expect, test } from 'vitest';
import { history } from './history.ts';

test('lists the named changes of a version and counts the rest', () => {
  expect(history.changes(1, ['CarePlan.status'])).toBe('1 change: CarePlan.status');
  expect(history.changes(2, ['CarePlan.status', 'CarePlan.title'])).toBe(
    '2 changes: CarePlan.status, CarePlan.title',
  );
  expect(history.changes(1203, ['CarePlan.status', 'CarePlan.title'])).toBe(
    '1,203 changes: CarePlan.status, CarePlan.title, and 1,201 more',
  );
});

test('counts versions', () => {
  expect(history.count(1, 1)).toBe('1 version');
  expect(history.count(50, 2036)).toBe('50 of 2,036 versions');
});
