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
  /** Parameter of the order that the server supports. */
  readonly parameter?: string;
  /** Text for exports, if it differs from the sort value. */
  readonly exportValue?: (row: ResultRow) => string;
  /** Written into each CSV, even while hidden. */
  readonly isAlwaysExported?: true;
  /** The first click sorts in descending order, because the interesting values are at that end. */
  readonly downAtFirst?: true;
}

const labels = text.results.columns;

/** Creates a column of a summary member that shows the member unless `column` says otherwise. */
function summaryColumn(
  id: keyof typeof labels & keyof RecordSummary,
  column: Pick<ResultColumn, 'width'> & Partial<Omit<ResultColumn, 'valueOf'>>,
): ResultColumn {
  const valueOf = (row: ResultRow): string => row[id];
  return { id, label: labels[id], comparison: 'text', valueOf, cell: valueOf, hint: valueOf, ...column };
}

const status = summaryColumn('status', {
  // Wide enough for the longest word, `entered-in-error`.
  width: 144,
  parameter: 'status',
  cell: (row) => <StatusChip status={row.status} />,
});

const title = summaryColumn('title', { width: 140, share: 2.4, parameter: 'title' });

const subject: ResultColumn = {
  ...summaryColumn('subject', { width: 112, share: 1.2 }),
  valueOf: subjectShown,
  cell: subjectShown,
  hint: subjectNamed,
  exportValue: subjectNamed,
};

const encounter = summaryColumn('encounter', {
  width: 120,
  share: 1.2,
  from: 1126,
  mono: true,
  cell: (row) => row.encounter && <CopiedId id={formatReference(row.encounter, 'Encounter')} />,
});

const date = summaryColumn('date', {
  width: 100,
  parameter: 'date',
  comparison: 'time',
  cell: (row) => formatDays(row.date, row.end),
  hint: (row) => exactDays(row.date, row.end),
  // Period as in ISO 8601.
  exportValue: ({ date: start, end }) => (end === '' ? start : `${start}/${end}`),
});

const lastUpdated = summaryColumn('lastUpdated', {
  width: 98,
  from: 908,
  parameter: '_lastUpdated',
  comparison: 'time',
  cell: (row, now) =>
    row.lastUpdated === '' ? null : (
      <time dateTime={row.lastUpdated}>{relativeTime(row.lastUpdated, now)}</time>
    ),
  hint: (row) => (row.lastUpdated === '' ? '' : exactTime(row.lastUpdated)),
});

const quality: ResultColumn = {
  id: 'quality',
  label: labels.quality,
  width: 104,
  from: 690,
  downAtFirst: true,
  comparison: 'number',
  valueOf: ({ issues }) => (issues ? String(issues.errors * 10_000 + issues.warnings) : ''),
  cell: ({ issues }) => issues && <IssueBar issues={issues} />,
  hint: issuesShown,
  // Severity codes of FHIR, which stay the same in every language.
  exportValue: ({ issues }) => (issues ? `error=${issues.errors} warning=${issues.warnings}` : ''),
};

const id = summaryColumn('id', {
  width: 96,
  share: 1,
  from: 1004,
  parameter: '_id',
  comparison: 'code',
  mono: true,
  cell: (row) => <CopiedId id={row.id} />,
});

const version = summaryColumn('version', {
  width: 74,
  isHiddenByDefault: true,
  comparison: 'number',
  mono: true,
  // Versions of other servers may be longer than a number.
  cell: (row) => shortId(row.version),
});

/** Widths of the columns of type definitions in CSS pixels. */
const widths: Readonly<Record<ColumnRow['format'], number>> = {
  count: 90,
  code: 96,
  date: 112,
  names: 120,
  negated: 160,
  text: 140,
};

function ofType(type: ResourceType, column: ColumnRow): ResultColumn {
  const { id: key, format, isInitiallyVisible, isAlwaysExported } = column;
  const isCount = format === 'count';
  const valueOf = ({ values }: ResultRow): string => values[key] ?? '';
  return {
    id: key,
    label: text.types.column(type, key),
    width: widths[format],
    comparison: isCount ? 'number' : format === 'date' ? 'time' : 'text',
    ...(isCount && { end: true, downAtFirst: true }),
    ...(isAlwaysExported && { isAlwaysExported }),
    ...(isInitiallyVisible ? { from: 810 } : { isHiddenByDefault: true }),
    valueOf,
    cell: (row) =>
      isCount ? renderCount(valueOf(row)) : format === 'negated' ? valueOf(row) : renderName(valueOf(row)),
    hint: valueOf,
  };
}

/** All columns of a type, in order. */
export const resultColumns = perType((type): readonly ResultColumn[] => [
  status,
  title,
  subject,
  date,
  ...columnsOf[type].map((column) => ofType(type, column)),
  encounter,
  quality,
  lastUpdated,
  id,
  version,
]);

/** Returns the columns with one of them changed. */
export function redrawn(
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
  return redrawn(columns, 'date', {
    width: periodWidth,
    cell: ({ date: start, end }) => start && timeWords({ start, end }),
  });
}

/** Returns the columns for rows of two lines: names first, IDs below. */
export function inTwoLines(columns: readonly ResultColumn[]): readonly ResultColumn[] {
  // The ID is below the name, so its own column stays only if the user selected it.
  const needed = columns.filter(({ id: key, from }) => key !== 'id' || from === undefined);
  return redrawn(needed, 'title', { cell: (row) => <TwoLines name={row.title} id={row.id} /> });
}

/** Returns the parameter by which the server sorts a column of this type; undefined if it does not. */
export function serverOrder({ parameter }: ResultColumn, type: ResourceType): string | undefined {
  if (parameter === undefined) return undefined;
  return searchParametersOf(type).find(({ sort }) => sort === parameter)?.name;
}

/** Returns the columns of a CSV: the visible columns, then the columns that are always written. */
export function exportedColumns(
  type: ResourceType,
  visibleColumns: readonly ResultColumn[],
): readonly ResultColumn[] {
  const ids = new Set(visibleColumns.map(({ id: key }) => key));
  return [
    ...visibleColumns,
    ...resultColumns[type].filter(({ id: key, isAlwaysExported }) => isAlwaysExported && !ids.has(key)),
  ];
}

/** Returns the exported text of a row in a column. */
export function exportedValue(column: ResultColumn, row: ResultRow): string {
  return (column.exportValue ?? column.valueOf)(row);
}

function subjectNamed({ subjectName, subject: literal }: ResultRow): string {
  return [...new Set([subjectName, literal])].filter(Boolean).join(' · ');
}

function issuesShown({ issues }: ResultRow): string {
  return issues ? text.results.issuesOf(issues.errors, issues.warnings) : '';
}

function subjectShown({ subject: literal, subjectName }: ResultRow): string {
  return subjectName || formatReference(literal, 'Patient');
}

/** Renders text. References and addresses are truncated in the middle, because their ends distinguish them. */
function renderName(words: string): ReactNode {
  const literal = words.split(', ').every((word) => /[/:]/.test(word) && !/\s/.test(word));
  return literal ? <TruncatedText name={words} end={6} /> : words;
}

function renderCount(count: string): ReactNode {
  return count === '0' ? <span className={styles.noIssues}>0</span> : formatCount(Number(count));
}
