import { expect, test } from 'vitest';
import { isResultColumnLayout, usualColumns, withColumn, withWidth } from './result-columns.ts';

test('a hidden column comes back in its place, and the last one stays', () => {
  const without = withColumn(usualColumns, 'title', false);
  expect(without.shown).not.toContain('title');
  expect(withColumn(without, 'title', true)).toEqual(usualColumns);
  const one = usualColumns.shown.reduce((layout, id) => withColumn(layout, id, false), usualColumns);
  expect(one.shown).toEqual(['id']);
});

test('a width is kept within bounds, and taken back', () => {
  expect(withWidth(usualColumns, 'id', 120.4).widths).toEqual({ id: 120 });
  expect(withWidth(usualColumns, 'id', 2).widths).toEqual({ id: 56 });
  expect(withWidth(usualColumns, 'id', 1e6).widths).toEqual({ id: 1200 });
  expect(withWidth(withWidth(usualColumns, 'id', 100), 'id', undefined)).toEqual(usualColumns);
});

test.each([
  { shown: [], widths: {} },
  { shown: ['nothing'], widths: {} },
  { shown: ['id'], widths: { id: 'wide' } },
  { shown: ['id'], widths: { other: 100 } },
  { shown: ['id'] },
])('what is no layout is not taken for one: %j', (value) => {
  expect(isResultColumnLayout(value)).toBe(false);
});

test('what the table makes is a layout', () => {
  expect(isResultColumnLayout(withWidth(usualColumns, 'id', 100))).toBe(true);
});
