import { expect, test } from 'vitest';
import { tracksOf } from '../../ui/grid/columns.ts';
import { inTwoLines, resultColumns, serverOrder, withPeriods } from './result-columns.tsx';

const plans = resultColumns.CarePlan;
const column = (id: string) => {
  const found = plans.find((one) => one.id === id);
  if (!found) throw new Error(`No column ${id}.`);
  return found;
};

test('the date is wider where there are periods', () => {
  const width = (columns: typeof plans) => tracksOf(columns).width;
  expect(width(withPeriods(plans))).toBeGreaterThan(width(plans));
});

test.each([604, 690, 810, 908, 1046, 1126])(
  'the columns that are shown at first fit into %i pixels',
  (room) => {
    for (const columns of Object.values(resultColumns)) {
      const shown = columns.filter(({ hiddenAtFirst, from = 0 }) => !hiddenAtFirst && from <= room);
      expect(tracksOf(withPeriods(shown)).width).toBeLessThanOrEqual(room);
    }
  },
);

test('a date shows its period to the end, by the days as written', () => {
  const { cell, hint } = column('date');
  const row = { date: '2024-01-03T10:00:00Z', end: '2024-04-03' } as Parameters<typeof cell>[0];
  expect(cell(row, 0)).toBe('2024-01-03 – 2024-04-03');
  expect(hint?.(row)).toMatch(/2024, .* – 2024-04-03$/);
});

test('a type shows what its definition names', () => {
  const row = { values: { activities: '1200', category: 'Diet' } } as unknown as Parameters<typeof cellOf>[1];
  const cellOf = (id: string, of: Parameters<(typeof plans)[number]['cell']>[0]) => column(id).cell(of, 0);
  expect([cellOf('activities', row), cellOf('category', row), cellOf('author', row)]).toEqual([
    '1,200',
    'Diet',
    '',
  ]);
});

test.each(['Practitioner/b-17', 'Device/1, urn:uuid:17', 'http://ward.example/Profile'])(
  '%s is cut in its middle, and whole in the hint',
  (author) => {
    const { cell, hint } = column('author');
    const row = { values: { author } } as unknown as Parameters<typeof cell>[0];
    expect(cell(row, 0)).toMatchObject({ props: { name: author, end: 6 } });
    expect(hint?.(row)).toBe(author);
  },
);

test('a name is not', () => {
  const { cell } = column('author');
  const author = 'Dr Lee, Ward 3/4';
  expect(cell({ values: { author } } as unknown as Parameters<typeof cell>[0], 0)).toBe(author);
});

test('in two lines the id stands beneath the title, and in a column of its own where that was chosen', () => {
  const row = { title: 'Diabetes plan', id: 'a' } as Parameters<(typeof plans)[number]['cell']>[0];
  const lined = inTwoLines(plans);
  expect(lined.find(({ id }) => id === 'title')?.cell(row, 0)).toMatchObject({
    props: { name: 'Diabetes plan', below: 'a' },
  });
  const idsOf = (columns: typeof plans) => columns.map(({ id }) => id);
  expect(idsOf(lined)).toEqual(idsOf(plans).filter((id) => id !== 'id'));
  const chosen = plans.map(({ from: _, ...column }) => column);
  expect(idsOf(inTwoLines(chosen))).toEqual(idsOf(plans));
});

test('the server sorts what its table says, and title for Compositions alone', () => {
  expect(serverOrder(column('lastUpdated'), 'CarePlan')).toBe('_lastUpdated');
  expect(serverOrder(column('title'), 'Composition')).toBe('title');
  expect(serverOrder(column('title'), 'CarePlan')).toBeUndefined();
  expect(serverOrder(column('subject'), 'Composition')).toBeUndefined();
});
