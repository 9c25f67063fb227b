import { expect, test } from 'vitest';
import { nextSorting, orderBy, sortingOf } from './sorting.ts';

test('cycles a column through ascending, descending and the order of the server', () => {
  const up = nextSorting(undefined, { id: 'status' });
  const down = nextSorting(up, { id: 'status' });
  expect(up).toEqual({ column: 'status', descending: false });
  expect(down).toEqual({ column: 'status', descending: true });
  expect(nextSorting(down, { id: 'status' })).toBeUndefined();
  expect(nextSorting(down, { id: 'id' })).toEqual({ column: 'id', descending: false });
});

test('shows the order of the server at its column', () => {
  expect(sortingOf('-_lastUpdated', 'CarePlan')).toEqual({ column: 'lastUpdated', descending: true });
  expect(sortingOf('-date,_id', 'CarePlan')).toBeUndefined();
  expect(sortingOf('', 'CarePlan')).toBeUndefined();
  expect(orderBy({ column: 'lastUpdated', descending: true }, 'CarePlan')).toBe('-_lastUpdated');
  expect(orderBy({ column: 'title', descending: false }, 'CarePlan')).toBeUndefined();
});

test('starts descending for a column with the interesting values at the end', () => {
  const quality = { id: 'quality', isDescendingFirst: true } as const;
  const down = nextSorting(undefined, quality);
  expect(down).toEqual({ column: 'quality', descending: true });
  expect(nextSorting(down, quality)).toEqual({ column: 'quality', descending: false });
  expect(nextSorting(nextSorting(down, quality), quality)).toBeUndefined();
});
