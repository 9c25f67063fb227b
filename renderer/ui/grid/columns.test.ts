import { expect, test } from 'vitest';
import {
  readLayout,
  listVisibleColumns,
  tracksOf,
  getDefaultLayout,
  withColumn,
  withWidth,
} from './columns.ts';

const columns = [
  { id: 'status', width: 100 },
  { id: 'title', width: 160, flexShare: 2 },
  { id: 'author', width: 90, flexShare: 1, isHiddenByDefault: true },
  { id: 'id', width: 80 },
] as const;
const defaultLayout = getDefaultLayout(columns);
const listIds = (layout: typeof defaultLayout) =>
  listVisibleColumns(columns, layout.shown).map(({ id }) => id);

test('hides a column until it is selected', () => {
  expect(listIds(defaultLayout)).toEqual(['status', 'title', 'id']);
  expect(listIds(withColumn(columns, defaultLayout, 'author', true))).toEqual([
    'status',
    'title',
    'author',
    'id',
  ]);
});

test('restores a hidden column at its position and keeps the last column', () => {
  const layoutWithoutTitle = withColumn(columns, defaultLayout, 'title', false);
  expect(listIds(layoutWithoutTitle)).toEqual(['status', 'id']);
  expect(withColumn(columns, layoutWithoutTitle, 'title', true)).toEqual(defaultLayout);
  const smallestLayout = ['status', 'title', 'id'].reduce(
    (layout, id) => withColumn(columns, layout, id, false),
    defaultLayout,
  );
  expect(smallestLayout.shown).toEqual(['id']);
});

test('clamps a width and resets it', () => {
  expect(withWidth(defaultLayout, 'id', 120.4).widths).toEqual({ id: 120 });
  expect(withWidth(defaultLayout, 'id', 2).widths).toEqual({ id: 56 });
  expect(withWidth(defaultLayout, 'id', 1e6).widths).toEqual({ id: 1200 });
  expect(withWidth(withWidth(defaultLayout, 'id', 100), 'id', undefined)).toEqual(defaultLayout);
});

test('reads a stored layout with its order', () => {
  const storedLayout = { shown: ['id', 'author', 'status'], widths: { id: 100, author: 1200 } };
  expect(readLayout(columns, JSON.parse(JSON.stringify(storedLayout)))).toEqual(storedLayout);
  expect(listIds(readLayout(columns, storedLayout))).toEqual(['id', 'author', 'status']);
});

test('drops only unknown columns, duplicates and invalid widths', () => {
  const storedLayout = {
    shown: ['title', 'gone', 7, 'title', 'id'],
    widths: { title: 300, id: 1e9, status: 55, author: 'wide', gone: 100 },
  };
  expect(readLayout(columns, storedLayout)).toEqual({ shown: ['title', 'id'], widths: { title: 300 } });
});

test('reads the valid part of a layout', () => {
  expect(readLayout(columns, { shown: 'all', widths: { id: 100 } })).toEqual({
    ...defaultLayout,
    widths: { id: 100 },
  });
  expect(readLayout(columns, { shown: ['id'], widths: null })).toEqual({ shown: ['id'], widths: {} });
  expect(readLayout(columns, { shown: ['gone'] })).toEqual(defaultLayout);
});

test.each([undefined, null, 7, 'wide', [], {}])('returns the default layout for %j', (storedLayout) => {
  expect(readLayout(columns, storedLayout)).toEqual(defaultLayout);
});

test('uses the width of a resized column and shares the remaining room', () => {
  expect(tracksOf(listVisibleColumns(columns, defaultLayout.shown), { status: 300 })).toEqual({
    template: '300px minmax(160px, 2fr) 80px',
    width: 540,
  });
});

test('leaves the end of the row free if no column takes the remaining room', () => {
  expect(tracksOf(listVisibleColumns(columns, defaultLayout.shown), { title: 200 }).template).toBe(
    '100px 200px 80px minmax(0, 1fr)',
  );
});
