import { expect, test } from 'vitest';
import { tracksOf } from '../../ui/grid/columns.ts';
import { resultColumns, serverOrder, withPeriods } from './result-columns.tsx';

const column = (id: string) => {
  const found = resultColumns.find((one) => one.id === id);
  if (!found) throw new Error(`No column ${id}.`);
  return found;
};

test('the date is wider where there are periods', () => {
  const width = (columns: typeof resultColumns) => tracksOf(columns).width;
  expect(width(withPeriods(resultColumns))).toBeGreaterThan(width(resultColumns));
});

test('a window of 1280 pixels has room for every column that is shown at first, beside the left panel and the scrollbar', () => {
  const shown = resultColumns.filter(({ hiddenAtFirst }) => !hiddenAtFirst);
  expect(tracksOf(withPeriods(shown)).width).toBeLessThanOrEqual(1280 - 224 - 10);
});

test('a date shows its period to the end, by the days as written', () => {
  const { cell, hint } = column('date');
  const row = { date: '2024-01-03T10:00:00Z', end: '2024-04-03' } as Parameters<typeof cell>[0];
  expect(cell(row, 0)).toBe('2024-01-03 – 2024-04-03');
  expect(hint?.(row)).toMatch(/2024, .* – 2024-04-03$/);
});

test('the server sorts what its table says, and title for Compositions alone', () => {
  expect(serverOrder(column('lastUpdated'), 'CarePlan')).toBe('_lastUpdated');
  expect(serverOrder(column('title'), 'Composition')).toBe('title');
  expect(serverOrder(column('title'), 'CarePlan')).toBeUndefined();
  expect(serverOrder(column('subject'), 'Composition')).toBeUndefined();
});
