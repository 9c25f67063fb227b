import { expect, test } from 'vitest';
import { compareText, compareTime, orderRows, type Comparison } from './result-order.ts';

const ordered = (values: readonly string[], comparison: Comparison, descending = false) =>
  orderRows(values, { valueOf: (value) => value, comparison }, descending);

test('sorts text as a person would', () => {
  expect(['Plan 10', 'plan 2', 'Plan 1'].sort(compareText)).toEqual(['Plan 1', 'plan 2', 'Plan 10']);
});

test('sorts times by their moment across zones and precisions', () => {
  const times = ['2024-01-02T00:30:00+02:00', '2024-01-01T23:00:00Z', '2023'];
  expect(times.sort(compareTime)).toEqual(['2023', '2024-01-02T00:30:00+02:00', '2024-01-01T23:00:00Z']);
});

test('sorts empty values last in both directions', () => {
  expect(ordered(['b', '', 'a'], 'text')).toEqual(['a', 'b', '']);
  expect(ordered(['b', '', 'a'], 'text', true)).toEqual(['b', 'a', '']);
});

test('sorts numbers by size', () => {
  expect(ordered(['10', '9', '100'], 'number')).toEqual(['9', '10', '100']);
});

test('keeps the order of equal rows in both directions, ignoring case', () => {
  const rows = [
    { name: 'B', position: 0 },
    { name: 'a', position: 1 },
    { name: 'A', position: 2 },
    { name: 'b', position: 3 },
  ];
  const listPositions = (descending: boolean) =>
    orderRows(rows, { valueOf: ({ name }) => name, comparison: 'text' }, descending).map(
      ({ position }) => position,
    );
  expect(listPositions(false)).toEqual([1, 2, 0, 3]);
  expect(listPositions(true)).toEqual([0, 3, 1, 2]);
});
