import { expect, test } from 'vitest';
import { compareText, compareTime, orderRows, type Comparison } from './result-order.ts';

const ordered = (values: readonly string[], comparison: Comparison, descending = false) =>
  orderRows(values, { valueOf: (value) => value, comparison }, descending);

test('text sorts as a person would', () => {
  expect(['Plan 10', 'plan 2', 'Plan 1'].sort(compareText)).toEqual(['Plan 1', 'plan 2', 'Plan 10']);
});

test('times sort by their moment across zones and precisions', () => {
  const times = ['2024-01-02T00:30:00+02:00', '2024-01-01T23:00:00Z', '2023'];
  expect(times.sort(compareTime)).toEqual(['2023', '2024-01-02T00:30:00+02:00', '2024-01-01T23:00:00Z']);
});

test('empty values stand last whichever way the order runs', () => {
  expect(ordered(['b', '', 'a'], 'text')).toEqual(['a', 'b', '']);
  expect(ordered(['b', '', 'a'], 'text', true)).toEqual(['b', 'a', '']);
});

test('numbers sort by size', () => {
  expect(ordered(['10', '9', '100'], 'number')).toEqual(['9', '10', '100']);
});

test('equal rows keep their order in both directions, whatever their writing', () => {
  const rows = [
    { name: 'B', at: 0 },
    { name: 'a', at: 1 },
    { name: 'A', at: 2 },
    { name: 'b', at: 3 },
  ];
  const places = (descending: boolean) =>
    orderRows(rows, { valueOf: ({ name }) => name, comparison: 'text' }, descending).map(({ at }) => at);
  expect(places(false)).toEqual([1, 2, 0, 3]);
  expect(places(true)).toEqual([0, 3, 1, 2]);
});
