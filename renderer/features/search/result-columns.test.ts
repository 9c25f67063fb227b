import { expect, test } from 'vitest';
import { usualColumns, withColumn, withWidth } from '../../../core/app/result-columns.ts';
import { resultColumns, serverOrder, shownColumns, tracksOf } from './result-columns.tsx';

const column = (id: string) => {
  const found = resultColumns.find((one) => one.id === id);
  if (!found) throw new Error(`No column ${id}.`);
  return found;
};

test('a column that was given a width has it, the others share the rest', () => {
  const layout = withWidth(withColumn(usualColumns, 'status', false), 'title', 300);
  const { template } = tracksOf(shownColumns(layout.shown), layout, false);
  expect(template).toMatch(/^300px minmax\(100px, 1\.1fr\)/);
});

test('a row is at least as wide as its columns, and wider where there are periods', () => {
  const width = (periods: boolean) => tracksOf(resultColumns, usualColumns, periods).width;
  expect(width(true)).toBeGreaterThan(width(false));
});

test('a window of 1280 pixels has room for every column beside the left panel and the scrollbar', () => {
  expect(tracksOf(resultColumns, usualColumns, true).width).toBeLessThanOrEqual(1280 - 224 - 10);
});

test('the server sorts what its table says, and title for Compositions alone', () => {
  expect(serverOrder(column('lastUpdated'), 'CarePlan')).toBe('_lastUpdated');
  expect(serverOrder(column('title'), 'Composition')).toBe('title');
  expect(serverOrder(column('title'), 'CarePlan')).toBeUndefined();
  expect(serverOrder(column('subject'), 'Composition')).toBeUndefined();
});
