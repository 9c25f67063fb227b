import {
  createColumnHelper,
  createSortedRowModel,
  metaHelper,
  rowSortingFeature,
  tableFeatures,
  type Row,
} from '@tanstack/react-table';
import { exactTime } from '../../ui/format.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { text } from '../../ui/text.ts';
import { compareText, compareTime, type ResultRow } from './result-rows.ts';

interface ColumnMeta {
  /** Width as a track of the row's CSS grid. */
  readonly track: string;
  /** What the cell's tooltip says; the full text by default. */
  readonly hint?: (row: ResultRow) => string;
  readonly mono?: true;
}

export const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  columnMeta: metaHelper<ColumnMeta>(),
});

export type GridRow = Row<typeof features, ResultRow>;

const helper = createColumnHelper<typeof features, ResultRow>();

const sorting = (compare: (left: string, right: string) => number) =>
  ({
    sortUndefined: 'last',
    sortDescFirst: false,
    sortFn: (left: GridRow, right: GridRow, id: string) =>
      compare(left.getValue<string>(id), right.getValue<string>(id)),
  }) as const;

/** Empty cells sort last whichever way the column runs; the table does so for undefined alone. */
const orUndefined = (value: string) => (value === '' ? undefined : value);

const { columns: labels } = text.results;

export const columns = helper.columns([
  helper.accessor((row) => orUndefined(row.status), {
    id: 'status',
    header: labels.status,
    cell: ({ row }) => <StatusDot status={row.original.status} />,
    meta: { track: '142px' },
    ...sorting(compareText),
  }),
  helper.accessor((row) => orUndefined(row.title), {
    id: 'title',
    header: labels.title,
    cell: ({ row }) => row.original.title,
    meta: { track: 'minmax(160px, 2.2fr)', hint: ({ title }) => title },
    ...sorting(compareText),
  }),
  helper.accessor((row) => orUndefined(row.subjectShown), {
    id: 'subject',
    header: labels.subject,
    cell: ({ row }) => row.original.subjectShown,
    meta: {
      track: 'minmax(100px, 1.1fr)',
      hint: ({ subject, subjectName }) => [subjectName, subject].filter(Boolean).join(' · '),
    },
    ...sorting(compareText),
  }),
  helper.accessor((row) => orUndefined(row.encounterShown), {
    id: 'encounter',
    header: labels.encounter,
    cell: ({ row }) => row.original.encounterShown,
    meta: { track: 'minmax(100px, 1.4fr)', mono: true, hint: ({ encounter }) => encounter },
    ...sorting(compareText),
  }),
  helper.accessor((row) => orUndefined(row.date), {
    id: 'date',
    header: labels.date,
    cell: ({ row }) => row.original.dateShown,
    meta: {
      track: '190px',
      mono: true,
      hint: ({ date, end }) => [date, end].filter(Boolean).map(exactIfInstant).join(' – '),
    },
    ...sorting(compareTime),
  }),
  helper.accessor((row) => orUndefined(row.version), {
    id: 'version',
    header: labels.version,
    cell: ({ row }) => row.original.version,
    meta: { track: '78px', mono: true },
    ...sorting(compareText),
  }),
  helper.accessor((row) => orUndefined(row.lastUpdated), {
    id: 'lastUpdated',
    header: labels.lastUpdated,
    cell: ({ row }) => <RelativeTime instant={row.original.lastUpdated} />,
    meta: { track: '92px' },
    ...sorting(compareTime),
  }),
  helper.accessor((row) => orUndefined(row.id), {
    id: 'id',
    header: labels.id,
    cell: ({ row }) => row.original.id,
    meta: { track: 'minmax(96px, 1fr)', mono: true, hint: ({ id }) => id },
    ...sorting(compareText),
  }),
]);

const dayTrack = '112px';

/** The grid tracks of every row, one for each column; the date is wide only where there are periods to show. */
export function tracksFor(rows: readonly ResultRow[]): string {
  const periods = rows.some(({ end }) => end !== '');
  return columns
    .map(({ id, meta }) => (id === 'date' && !periods ? dayTrack : (meta?.track ?? '1fr')))
    .join(' ');
}

function exactIfInstant(dateTime: string): string {
  return dateTime.includes('T') ? exactTime(dateTime) : dateTime;
}
