import type { ReactNode } from 'react';
import { columnsOf } from '../../../core/fhir/columns.ts';
import { shortId } from '../../../core/fhir/names.ts';
import { searchParametersOf } from '../../../core/fhir/search-parameters.ts';
import type { RecordSummary } from '../../../core/fhir/summary.ts';
import { perType, type ResourceType } from '../../../core/fhir/resource.ts';
import type { ColumnRow } from '../../../core/types/definition/type-definition.ts';
import { formatCount, formatReference } from '../../ui/format.ts';
import type { GridColumn } from '../../ui/grid/columns.ts';
import { TruncatedText } from '../../ui/truncated-text.tsx';
import { StatusChip } from '../../ui/status-chip.tsx';
import { text } from '../../ui/text.ts';
import { exactDays, exactTime, relativeTime, formatDays } from '../../ui/time.ts';
import { timeWords } from '../../ui/timeline/time-words.ts';
import { CopiedId, IssueBar, TwoLines } from './result-cells.tsx';
import type { ColumnOrder } from './result-order.ts';
import type { ResultRow } from './result-rows.ts';
import styles from './search.module.css';

/** A column of the results: width, order and cell. */
export interface ResultColumn extends GridColumn<ResultRow>, ColumnOrder<ResultRow> {
  /** Sort key of the search parameter by which a server can sort the column. */
  readonly sortKey?: string;
  /** Text for exports, if it differs from the sort value. */
  readonly exportValue?: (row: ResultRow) => string;
  /** Written into each CSV, even while hidden. */
  readonly isAlwaysExported?: true;
  /** Its values are names and literal references. */
  readonly hasReferences?: true;
  /** The first click sorts in descending order, because high values matter most. */
  readonly isDescendingFirst?: true;
}

const labels = text.results.columns;

/** Creates the column of a member of the summary. `column` overrides its defaults. */
function summaryColumn(
  id: keyof typeof labels & keyof RecordSummary,
  column: Pick<ResultColumn, 'width'> & Partial<Omit<ResultColumn, 'valueOf'>>,
): ResultColumn {
  const valueOf = (row: ResultRow): string => row[id];
  return { id, label: labels[id], comparison: 'text', valueOf, cell: valueOf, hint: valueOf, ...column };
}

const statusColumn = summaryColumn('status', {
  // Wide enough for the longest word, `entered-in-error`.
  width: 144,
  sortKey: 'status',
  cell: (row) => <StatusChip status={row.status} />,
});

const titleColumn = summaryColumn('title', { width: 140, flexShare: 2.4, sortKey: 'title' });

const subjectColumn: ResultColumn = {
  ...summaryColumn('subject', { width: 112, flexShare: 1.2 }),
  valueOf: formatSubject,
  cell: formatSubject,
  hint: formatSubjectWithReference,
  exportValue: formatSubjectWithReference,
};

const encounterColumn = summaryColumn('encounter', {
  width: 120,
  flexShare: 1.2,
  minGridWidth: 1126,
  isMonospaced: true,
  cell: (row) => row.encounter && <CopiedId id={formatReference(row.encounter, 'Encounter')} />,
});

const dateColumn = summaryColumn('date', {
  width: 100,
  sortKey: 'date',
  comparison: 'time',
  cell: (row) => formatDays(row.date, row.end),
  hint: (row) => exactDays(row.date, row.end),
  // Period as in ISO 8601.
  exportValue: ({ date, end }) => (end === '' ? date : `${date}/${end}`),
});

const lastUpdatedColumn = summaryColumn('lastUpdated', {
  width: 98,
  minGridWidth: 908,
  sortKey: '_lastUpdated',
  comparison: 'time',
  cell: (row, now) =>
    row.lastUpdated === '' ? null : (
      <time dateTime={row.lastUpdated}>{relativeTime(row.lastUpdated, now)}</time>
    ),
  hint: (row) => (row.lastUpdated === '' ? '' : exactTime(row.lastUpdated)),
});

/** Any error outranks all warnings. */
const errorWeight = 10_000;

const qualityColumn: ResultColumn = {
  id: 'quality',
  label: labels.quality,
  width: 104,
  minGridWidth: 690,
  isDescendingFirst: true,
  comparison: 'number',
  valueOf: ({ issues }) => (issues ? String(issues.errors * errorWeight + issues.warnings) : ''),
  cell: ({ issues }) => issues && <IssueBar issues={issues} />,
  hint: formatIssueCounts,
  // Severity codes of FHIR, which stay the same in every language.
  exportValue: ({ issues }) => (issues ? `error=${issues.errors} warning=${issues.warnings}` : ''),
};

const idColumn = summaryColumn('id', {
  width: 96,
  flexShare: 1,
  minGridWidth: 1004,
  sortKey: '_id',
  comparison: 'code',
  isMonospaced: true,
  cell: (row) => <CopiedId id={row.id} />,
});

const versionColumn = summaryColumn('version', {
  width: 74,
  isHiddenByDefault: true,
  comparison: 'number',
  isMonospaced: true,
  // Other servers may have long version ids, such as UUIDs.
  cell: (row) => shortId(row.version),
});

/** Widths of the columns of type definitions in CSS pixels. */
const widthsByFormat: Readonly<Record<ColumnRow['format'], number>> = {
  count: 90,
  code: 96,
  date: 112,
  names: 120,
  negated: 160,
  text: 140,
};

function createTypeColumn(type: ResourceType, column: ColumnRow): ResultColumn {
  const { id, format, isInitiallyVisible, isAlwaysExported } = column;
  const isCount = format === 'count';
  const valueOf = ({ values }: ResultRow): string => values[id] ?? '';
  return {
    id,
    label: text.types.column(type, id),
    width: widthsByFormat[format],
    comparison: isCount ? 'number' : format === 'date' ? 'time' : 'text',
    ...(isCount && { isEndAligned: true, isDescendingFirst: true }),
    ...(isAlwaysExported && { isAlwaysExported }),
    ...(format === 'names' && { hasReferences: true }),
    ...(isInitiallyVisible ? { minGridWidth: 810 } : { isHiddenByDefault: true }),
    valueOf,
    cell: (row) =>
      isCount ? renderCount(valueOf(row)) : format === 'negated' ? valueOf(row) : renderText(valueOf(row)),
    hint: valueOf,
  };
}

/** All columns of a type, in order. */
export const resultColumns = perType((type): readonly ResultColumn[] => [
  statusColumn,
  titleColumn,
  subjectColumn,
  dateColumn,
  ...columnsOf[type].map((column) => createTypeColumn(type, column)),
  encounterColumn,
  qualityColumn,
  lastUpdatedColumn,
  idColumn,
  versionColumn,
]);

/** Returns the columns with one of them changed. */
export function withChangedColumn(
  columns: readonly ResultColumn[],
  key: string,
  change: Partial<Pick<ResultColumn, 'cell' | 'width'>>,
): readonly ResultColumn[] {
  return columns.map((column) => (column.id === key ? { ...column, ...change } : column));
}

/** Width of a date with the end of its period. */
const periodWidth = 188;

/** Returns the columns for rows with periods, which need a wider date column. */
export function withPeriods(columns: readonly ResultColumn[]): readonly ResultColumn[] {
  return withChangedColumn(columns, 'date', {
    width: periodWidth,
    cell: ({ date, end }) => date && timeWords({ start: date, end }),
  });
}

/** Returns the columns for rows of two lines: a name, and the ID below. */
export function withTwoLineTitles(columns: readonly ResultColumn[]): readonly ResultColumn[] {
  // The ID is below the name. Its own column stays only if the user chose it, which removes `minGridWidth`.
  const needed = columns.filter(({ id, minGridWidth }) => id !== 'id' || minGridWidth === undefined);
  return withChangedColumn(needed, 'title', { cell: (row) => <TwoLines name={row.title} id={row.id} /> });
}

/** Returns the parameter by which the server sorts a column of this type; undefined if it does not. */
export function findServerSortParameter({ sortKey }: ResultColumn, type: ResourceType): string | undefined {
  if (sortKey === undefined) return undefined;
  return searchParametersOf(type).find(({ sort }) => sort === sortKey)?.name;
}

/** Returns the columns of a CSV: the visible columns, then the columns that are always written. */
export function exportedColumns(
  type: ResourceType,
  visibleColumns: readonly ResultColumn[],
): readonly ResultColumn[] {
  const ids = new Set(visibleColumns.map(({ id }) => id));
  return [
    ...visibleColumns,
    ...resultColumns[type].filter(({ id, isAlwaysExported }) => isAlwaysExported && !ids.has(id)),
  ];
}

/** Returns the exported text of a row in a column. */
export function exportedValue(column: ResultColumn, row: ResultRow): string {
  return (column.exportValue ?? column.valueOf)(row);
}

function formatSubjectWithReference({ subjectName, subject }: ResultRow): string {
  return [...new Set([subjectName, subject])].filter(Boolean).join(' · ');
}

function formatIssueCounts({ issues }: ResultRow): string {
  return issues ? text.results.issuesOf(issues.errors, issues.warnings) : '';
}

function formatSubject({ subject, subjectName }: ResultRow): string {
  return subjectName || formatReference(subject, 'Patient');
}

/** Renders text. References and URLs are truncated in the middle, because their ends distinguish them. */
function renderText(value: string): ReactNode {
  const isReferenceOrUrl = value.split(', ').every((word) => /[/:]/.test(word) && !/\s/.test(word));
  return isReferenceOrUrl ? <TruncatedText name={value} end={6} /> : value;
}

function renderCount(count: string): ReactNode {
  return count === '0' ? <span className={styles.noIssues}>0</span> : formatCount(Number(count));
}
