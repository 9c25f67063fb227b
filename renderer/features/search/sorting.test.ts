import { expect, test } from 'vitest';
import { nextSorting, orderBy, sortingOf } from './sorting.ts';

test('a column goes up, down and back to the order of the server', () => {
  const up = nextSorting(undefined, 'status');
  const down = nextSorting(up, 'status');
  expect(up).toEqual({ column: 'status', descending: false });
  expect(down).toEqual({ column: 'status', descending: true });
  expect(nextSorting(down, 'status')).toBeUndefined();
  expect(nextSorting(down, 'id')).toEqual({ column: 'id', descending: false });
});

test('what the server sorts by is shown at its column', () => {
  expect(sortingOf('-_lastUpdated', 'CarePlan')).toEqual({ column: 'lastUpdated', descending: true });
  expect(sortingOf('-date,_id', 'CarePlan')).toBeUndefined();
  expect(sortingOf('', 'CarePlan')).toBeUndefined();
  expect(orderBy({ column: 'lastUpdated', descending: true }, 'CarePlan')).toBe('-_lastUpdated');
  expect(orderBy({ column: 'title', descending: false }, 'CarePlan')).toBeUndefined();
});
