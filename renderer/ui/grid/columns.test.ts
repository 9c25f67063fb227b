import { expect, test } from 'vitest';
import { readLayout, shownColumns, tracksOf, usualLayout, withColumn, withWidth } from './columns.ts';

const columns = [
  { id: 'status', width: 100 },
  { id: 'title', width: 160, share: 2 },
  { id: 'author', width: 90, share: 1, hiddenAtFirst: true },
  { id: 'id', width: 80 },
] as const;
const usual = usualLayout(columns);
const shown = (layout: typeof usual) => shownColumns(columns, layout.shown).map(({ id }) => id);

test('a column may be hidden until it is chosen', () => {
  expect(shown(usual)).toEqual(['status', 'title', 'id']);
  expect(shown(withColumn(columns, usual, 'author', true))).toEqual(['status', 'title', 'author', 'id']);
});

test('a hidden column comes back in its place, and the last one stays', () => {
  const without = withColumn(columns, usual, 'title', false);
  expect(shown(without)).toEqual(['status', 'id']);
  expect(withColumn(columns, without, 'title', true)).toEqual(usual);
  const one = ['status', 'title', 'id'].reduce((layout, id) => withColumn(columns, layout, id, false), usual);
  expect(one.shown).toEqual(['id']);
});

test('a width is kept within bounds, and taken back', () => {
  expect(withWidth(usual, 'id', 120.4).widths).toEqual({ id: 120 });
  expect(withWidth(usual, 'id', 2).widths).toEqual({ id: 56 });
  expect(withWidth(usual, 'id', 1e6).widths).toEqual({ id: 1200 });
  expect(withWidth(withWidth(usual, 'id', 100), 'id', undefined)).toEqual(usual);
});

test('what was kept is read back, in the order that it was kept in', () => {
  const kept = { shown: ['id', 'author', 'status'], widths: { id: 100, author: 1200 } };
  expect(readLayout(columns, JSON.parse(JSON.stringify(kept)))).toEqual(kept);
  expect(shown(readLayout(columns, kept))).toEqual(['id', 'author', 'status']);
});

test('an unknown column, one named twice and a width out of bounds lose that entry alone', () => {
  const kept = {
    shown: ['title', 'gone', 7, 'title', 'id'],
    widths: { title: 300, id: 1e9, status: 55, author: 'wide', gone: 100 },
  };
  expect(readLayout(columns, kept)).toEqual({ shown: ['title', 'id'], widths: { title: 300 } });
});

test('a part that cannot be read leaves the other', () => {
  expect(readLayout(columns, { shown: 'all', widths: { id: 100 } })).toEqual({
    ...usual,
    widths: { id: 100 },
  });
  expect(readLayout(columns, { shown: ['id'], widths: null })).toEqual({ shown: ['id'], widths: {} });
  expect(readLayout(columns, { shown: ['gone'] })).toEqual(usual);
});

test.each([undefined, null, 7, 'wide', [], {}])(
  'where nothing was kept the usual layout holds: %j',
  (kept) => {
    expect(readLayout(columns, kept)).toEqual(usual);
  },
);

test('a column that was given a width has it, the others share the rest', () => {
  expect(tracksOf(shownColumns(columns, usual.shown), { status: 300 })).toEqual({
    template: '300px minmax(160px, 2fr) 80px',
    width: 540,
  });
});

test('where no column takes the room that is left, the end of the row is free', () => {
  expect(tracksOf(shownColumns(columns, usual.shown), { title: 200 }).template).toBe(
    '100px 200px 80px minmax(0, 1fr)',
  );
});
