import { expect, test } from 'vitest';
import { tracksOf } from '../../ui/grid/columns.ts';
import { withTwoLineTitles, resultColumns, findServerSortParameter, withPeriods } from './result-columns.tsx';

const plans = resultColumns.CarePlan;
const column = (id: string) => {
  const match = plans.find((candidate) => candidate.id === id);
  if (!match) throw new Error(`No column ${id}.`);
  return match;
};

test('widens the date column if there are periods', () => {
  const width = (columns: typeof plans) => tracksOf(columns).width;
  expect(width(withPeriods(plans))).toBeGreaterThan(width(plans));
});

test.each([604, 690, 810, 908, 1046, 1126])('fits the initial columns into %i pixels', (room) => {
  for (const columns of Object.values(resultColumns)) {
    const visibleColumns = columns.filter(
      ({ isHiddenByDefault, minGridWidth = 0 }) => !isHiddenByDefault && minGridWidth <= room,
    );
    expect(tracksOf(withPeriods(visibleColumns)).width).toBeLessThanOrEqual(room);
  }
});

test('shows the period of a date with its end, by the days of its text', () => {
  const { cell, hint } = column('date');
  const row = { date: '2024-01-03T10:00:00Z', end: '2024-04-03' } as Parameters<typeof cell>[0];
  expect(cell(row, 0)).toBe('2024-01-03 – 2024-04-03');
  expect(hint?.(row)).toMatch(/2024, .* – 2024-04-03$/);
});

test('shows the columns of the type definition', () => {
  const row = { values: { activities: '1200', category: 'Diet' } } as unknown as Parameters<typeof cellOf>[1];
  const cellOf = (id: string, row: Parameters<(typeof plans)[number]['cell']>[0]) => column(id).cell(row, 0);
  expect([cellOf('activities', row), cellOf('category', row), cellOf('author', row)]).toEqual([
    '1,200',
    'Diet',
    '',
  ]);
});

test.each(['Practitioner/b-17', 'Device/1, urn:uuid:17', 'http://ward.example/Profile'])(
  'truncates %s in its middle and shows it whole in the hint',
  (author) => {
    const { cell, hint } = column('author');
    const row = { values: { author } } as unknown as Parameters<typeof cell>[0];
    expect(cell(row, 0)).toMatchObject({ props: { name: author, end: 6 } });
    expect(hint?.(row)).toBe(author);
  },
);

test('does not truncate a name', () => {
  const { cell } = column('author');
  const author = 'Dr Lee, Ward 3/4';
  expect(cell({ values: { author } } as unknown as Parameters<typeof cell>[0], 0)).toBe(author);
});

test('shows the ID below the title in two lines, and in its own column if selected', () => {
  const row = { title: 'Diabetes plan', id: 'a' } as Parameters<(typeof plans)[number]['cell']>[0];
  const twoLineColumns = withTwoLineTitles(plans);
  expect(twoLineColumns.find(({ id }) => id === 'title')?.cell(row, 0)).toMatchObject({
    props: { name: 'Diabetes plan', id: 'a' },
  });
  const idsOf = (columns: typeof plans) => columns.map(({ id }) => id);
  expect(idsOf(twoLineColumns)).toEqual(idsOf(plans).filter((id) => id !== 'id'));
  const selectedColumns = plans.map(({ minGridWidth: _, ...column }) => column);
  expect(idsOf(withTwoLineTitles(selectedColumns))).toEqual(idsOf(plans));
});

test('sorts by the parameters of the API, and by title only for Compositions', () => {
  expect(findServerSortParameter(column('lastUpdated'), 'CarePlan')).toBe('_lastUpdated');
  expect(findServerSortParameter(column('title'), 'Composition')).toBe('title');
  expect(findServerSortParameter(column('title'), 'CarePlan')).toBeUndefined();
  expect(findServerSortParameter(column('subject'), 'Composition')).toBeUndefined();
});
