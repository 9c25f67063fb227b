import { expect, test } from 'vitest';
import { nextSorting, orderBy, sortingOf } from './sorting.ts';

test('a column goes up, down and back to the order of the server', () => {
  const up = nextSorting(undefined, { id: 'status' });
  const down = nextSorting(up, { id: 'status' });
  expect(up).toEqual({ column: 'status', descending: false });
  expect(down).toEqual({ column: 'status', descending: true });
  expect(nextSorting(down, { id: 'status' })).toBeUndefined();
  expect(nextSorting(down, { id: 'id' })).toEqual({ column: 'id', descending: false });
});

test('what the server sorts by is shown at its column', () => {
  expect(sortingOf('-_lastUpdated', 'CarePlan')).toEqual({ column: 'lastUpdated', descending: true });
  expect(sortingOf('-date,_id', 'CarePlan')).toBeUndefined();
  expect(sortingOf('', 'CarePlan')).toBeUndefined();
  expect(orderBy({ column: 'lastUpdated', descending: true }, 'CarePlan')).toBe('-_lastUpdated');
  expect(orderBy({ column: 'title', descending: false }, 'CarePlan')).toBeUndefined();
});

test('where the last is looked for first, a column goes down first', () => {
  const quality = { id: 'quality', downAtFirst: true } as const;
  const down = nextSorting(undefined, quality);
  expect(down).toEqual({ column: 'quality', descending: true });
  expect(nextSorting(down, quality)).toEqual({ column: 'quality', descending: false });
  expect(nextSorting(nextSorting(down, quality), quality)).toBeUndefined();
});
