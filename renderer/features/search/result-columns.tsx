import type { ReactNode } from 'react';
import { columnsOf } from '../../../core/fhir/columns.ts';
import { shortId } from '../../../core/fhir/names.ts';
import { searchParametersOf } from '../../../core/fhir/search-parameters.ts';
import type { RecordSummary } from '../../../core/fhir/summary.ts';
import { perType, type ResourceType } from '../../../core/fhir/resource.ts';
import type { ColumnRow } from '../../../core/types/definition/type-definition.ts';
import { formatCount, shownReference } from '../../ui/format.ts';
import type { GridColumn } from '../../ui/grid/columns.ts';
import { Shortened } from '../../ui/shortened.tsx';
import { StatusChip } from '../../ui/status-chip.tsx';
import { text } from '../../ui/text.ts';
import { exactDays, exactTime, relativeTime, writtenDays } from '../../ui/time.ts';
import { timeWords } from '../../ui/timeline/time-words.ts';
import { CopiedId, IssueBar, TwoLines } from './result-cells.tsx';
import type { ColumnOrder } from './result-order.ts';
import type { ResultRow } from './result-rows.ts';
import styles from './search.module.css';

/** A column of the results: how wide, how sorted, how drawn. */
export interface ResultColumn extends GridColumn<ResultRow>, ColumnOrder<ResultRow> {
  /** What the server's order by it compares. */
  readonly parameter?: string;
  /** What an export says, where it is not what rows are sorted by. */
  readonly exported?: (row: ResultRow) => string;
  /** Written into each CSV, shown or not. */
  readonly exportedAlways?: true;
  /** The first click sorts downwards: what a person looks for stands at that end. */
  readonly downAtFirst?: true;
}

const labels = text.results.columns;

/** A column of a member of the summary, shown as it is where nothing else is said. */
function summaryColumn(
  id: keyof typeof labels & keyof RecordSummary,
  column: Pick<ResultColumn, 'width'> & Partial<Omit<ResultColumn, 'valueOf'>>,
): ResultColumn {
  const valueOf = (row: ResultRow): string => row[id];
  return { id, label: labels[id], comparison: 'text', valueOf, cell: valueOf, hint: valueOf, ...column };
}

const status = summaryColumn('status', {
  // The longest word, `entered-in-error`, is read in full.
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
  exported: subjectNamed,
};

const encounter = summaryColumn('encounter', {
  width: 120,
  share: 1.2,
  from: 1126,
  mono: true,
  cell: (row) => row.encounter && <CopiedId id={shownReference(row.encounter, 'Encounter')} />,
});

const date = summaryColumn('date', {
  width: 100,
  parameter: 'date',
  comparison: 'time',
  cell: (row) => writtenDays(row.date, row.end),
  hint: (row) => exactDays(row.date, row.end),
  // ISO 8601 writes a period so.
  exported: ({ date: start, end }) => (end === '' ? start : `${start}/${end}`),
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
  exported: issuesShown,
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
  hiddenAtFirst: true,
  comparison: 'number',
  mono: true,
  // Other servers' versions may be longer than a number.
  cell: (row) => shortId(row.version),
});

/** Widths in CSS pixels of the columns that a type's definition adds. */
const widths: Readonly<Record<ColumnRow['as'], number>> = {
  count: 90,
  code: 96,
  date: 112,
  names: 120,
  negated: 160,
  text: 140,
};

function ofType({ id: key, label, as, shownAtFirst, exportedAlways }: ColumnRow): ResultColumn {
  const counts = as === 'count';
  const valueOf = ({ values }: ResultRow): string => values[key] ?? '';
  return {
    id: key,
    label,
    width: widths[as],
    comparison: counts ? 'number' : as === 'date' ? 'time' : 'text',
    ...(counts && { end: true, downAtFirst: true }),
    ...(exportedAlways && { exportedAlways }),
    ...(shownAtFirst ? { from: 810 } : { hiddenAtFirst: true }),
    valueOf,
    cell: (row) =>
      counts ? countShown(valueOf(row)) : as === 'negated' ? valueOf(row) : named(valueOf(row)),
    hint: valueOf,
  };
}

/** Every column of a type, in order. */
export const resultColumns = perType((type): readonly ResultColumn[] => [
  ...[status, title, subject, date],
  ...columnsOf[type].map(ofType),
  ...[encounter, quality, lastUpdated, id, version],
]);

/** The columns with one of them drawn in another way. */
export function redrawn(
  columns: readonly ResultColumn[],
  key: string,
  change: Partial<Pick<ResultColumn, 'cell' | 'width'>>,
): readonly ResultColumn[] {
  return columns.map((column) => (column.id === key ? { ...column, ...change } : column));
}

/** Width of a date with its period's end. */
const periodWidth = 188;

/** The columns where there are periods to show: a date's own width has no room for one, and an open one says so. */
export function withPeriods(columns: readonly ResultColumn[]): readonly ResultColumn[] {
  return redrawn(columns, 'date', {
    width: periodWidth,
    cell: ({ date: start, end }) => start && timeWords({ start, end }),
  });
}

/** The columns for rows of two lines: names first, ids below. */
export function inTwoLines(columns: readonly ResultColumn[]): readonly ResultColumn[] {
  // Beneath the name stands the id: its own column is shown where it was chosen.
  const needed = columns.filter(({ id: key, from }) => key !== 'id' || from === undefined);
  return redrawn(needed, 'title', { cell: (row) => <TwoLines name={row.title} below={row.id} /> });
}

/** The parameter by which the server sorts a column of this type; undefined where it does not. */
export function serverOrder({ parameter }: ResultColumn, type: ResourceType): string | undefined {
  if (parameter === undefined) return undefined;
  return searchParametersOf(type).find(({ sort }) => sort === parameter)?.name;
}

/** Returns the columns of a CSV: those that are shown, then those that are always written. */
export function exportedColumns(type: ResourceType, shown: readonly ResultColumn[]): readonly ResultColumn[] {
  const ids = new Set(shown.map(({ id: key }) => key));
  return [
    ...shown,
    ...resultColumns[type].filter(({ id: key, exportedAlways }) => exportedAlways && !ids.has(key)),
  ];
}

/** What an export says of a row in a column. */
export function exportedValue(column: ResultColumn, row: ResultRow): string {
  return (column.exported ?? column.valueOf)(row);
}

function subjectNamed({ subjectName, subject: literal }: ResultRow): string {
  return [...new Set([subjectName, literal])].filter(Boolean).join(' · ');
}

function issuesShown({ issues }: ResultRow): string {
  return issues ? text.results.issuesOf(issues.errors, issues.warnings) : '';
}

function subjectShown({ subject: literal, subjectName }: ResultRow): string {
  return subjectName || shownReference(literal, 'Patient');
}

/** Words as they are; references and addresses cut in their middle, as it is the end that tells them apart. */
function named(words: string): ReactNode {
  const literal = words.split(', ').every((word) => /[/:]/.test(word) && !/\s/.test(word));
  return literal ? <Shortened name={words} end={6} /> : words;
}

function countShown(count: string): ReactNode {
  return count === '0' ? <span className={styles.noIssues}>0</span> : formatCount(Number(count));
}
