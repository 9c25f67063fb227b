import type { ReactNode } from 'react';
import { columnsOf } from '../../../core/fhir/columns.ts';
import { shortId } from '../../../core/fhir/names.ts';
import { searchParametersOf } from '../../../core/fhir/search-parameters.ts';
import { perType, type ResourceType } from '../../../core/fhir/resource.ts';
import type { ColumnRow } from '../../../core/types/definition/type-definition.ts';
import { formatCount, shownReference } from '../../ui/format.ts';
import type { GridColumn } from '../../ui/grid/columns.ts';
import { Shortened } from '../../ui/shortened.tsx';
import { StatusChip } from '../../ui/status-chip.tsx';
import { text } from '../../ui/text.ts';
import { exactDays, exactTime, relativeTime, writtenDays } from '../../ui/time.ts';
import { timeWords } from '../../ui/timeline/time-words.ts';
import { IssueBar } from './issue-bar.tsx';
import type { ColumnOrder } from './result-order.ts';
import type { ResultRow } from './result-rows.ts';
import { CopiedId, TwoLines } from './two-lines.tsx';
import styles from './search.module.css';

/** A column of the results: how wide, how sorted, how drawn. */
export interface ResultColumn extends GridColumn<ResultRow>, ColumnOrder<ResultRow> {
  /** What the server's order by it compares. */
  readonly parameter?: string;
  /** What an export says, where it is not what rows are sorted by. */
  readonly exported?: (row: ResultRow) => string;
  /** The first click sorts downwards: what a person looks for stands at that end. */
  readonly downAtFirst?: true;
}

const labels = text.results.columns;

const status: ResultColumn = {
  id: 'status',
  label: labels.status,
  // The longest word, `entered-in-error`, is read in full.
  width: 144,
  parameter: 'status',
  comparison: 'text',
  valueOf: (row) => row.status,
  cell: (row) => <StatusChip status={row.status} />,
  hint: (row) => row.status,
};

const title: ResultColumn = {
  id: 'title',
  label: labels.title,
  width: 150,
  share: 2.4,
  parameter: 'title',
  comparison: 'text',
  valueOf: (row) => row.title,
  cell: (row) => row.title,
  hint: (row) => row.title,
};

const subject: ResultColumn = {
  id: 'subject',
  label: labels.subject,
  width: 122,
  share: 1.2,
  comparison: 'text',
  valueOf: subjectShown,
  cell: subjectShown,
  hint: subjectNamed,
  exported: subjectNamed,
};

const encounter: ResultColumn = {
  id: 'encounter',
  label: labels.encounter,
  width: 120,
  share: 1.2,
  from: 1126,
  comparison: 'text',
  mono: true,
  valueOf: (row) => row.encounter,
  cell: (row) => row.encounter && <CopiedId id={shownReference(row.encounter, 'Encounter')} />,
  hint: (row) => row.encounter,
};

const date: ResultColumn = {
  id: 'date',
  label: labels.date,
  width: 100,
  parameter: 'date',
  comparison: 'time',
  valueOf: (row) => row.date,
  cell: (row) => writtenDays(row.date, row.end),
  hint: (row) => exactDays(row.date, row.end),
  // ISO 8601 writes a period so.
  exported: ({ date: start, end }) => (end === '' ? start : `${start}/${end}`),
};

const lastUpdated: ResultColumn = {
  id: 'lastUpdated',
  label: labels.lastUpdated,
  width: 98,
  from: 908,
  parameter: '_lastUpdated',
  comparison: 'time',
  valueOf: (row) => row.lastUpdated,
  cell: (row, now) =>
    row.lastUpdated === '' ? null : (
      <time dateTime={row.lastUpdated}>{relativeTime(row.lastUpdated, now)}</time>
    ),
  hint: (row) => (row.lastUpdated === '' ? '' : exactTime(row.lastUpdated)),
};

const quality: ResultColumn = {
  id: 'quality',
  label: labels.quality,
  width: 84,
  from: 690,
  downAtFirst: true,
  comparison: 'number',
  valueOf: ({ issues }) => (issues ? String(issues.errors * 10_000 + issues.warnings) : ''),
  cell: ({ issues }) => issues && <IssueBar issues={issues} />,
  hint: issuesShown,
  exported: issuesShown,
};

const id: ResultColumn = {
  id: 'id',
  label: labels.id,
  width: 96,
  share: 1,
  from: 1004,
  parameter: '_id',
  comparison: 'code',
  mono: true,
  valueOf: (row) => row.id,
  cell: (row) => <CopiedId id={row.id} />,
  hint: (row) => row.id,
};

const version: ResultColumn = {
  id: 'version',
  label: labels.version,
  width: 74,
  hiddenAtFirst: true,
  comparison: 'number',
  mono: true,
  valueOf: (row) => row.version,
  // Other servers' versions may be longer than a number.
  cell: (row) => shortId(row.version),
  hint: (row) => row.version,
};

/** Widths in CSS pixels of the columns that a type's definition adds. */
const widths: Readonly<Record<ColumnRow['as'], number>> = {
  count: 90,
  code: 96,
  date: 112,
  names: 120,
  text: 140,
};

function ofType({ id: key, label, as, shownAtFirst }: ColumnRow): ResultColumn {
  const counts = as === 'count';
  const valueOf = ({ values }: ResultRow): string => values[key] ?? '';
  return {
    id: key,
    label,
    width: widths[as],
    comparison: counts ? 'number' : as === 'date' ? 'time' : 'text',
    ...(counts && { end: true, downAtFirst: true }),
    ...(shownAtFirst ? { from: 810 } : { hiddenAtFirst: true }),
    valueOf,
    cell: (row) => (counts ? countShown(valueOf(row)) : named(valueOf(row))),
    hint: valueOf,
  };
}

/** Every column of a type, in order. */
export const resultColumns = perType((type): readonly ResultColumn[] => [
  ...[status, title, subject, date],
  ...columnsOf[type].map(ofType),
  ...[encounter, quality, lastUpdated, id, version],
]);

/** Width of a date with its period's end. */
const periodWidth = 188;

/** The columns where there are periods to show: a date's own width has no room for one, and an open one says so. */
export function withPeriods(columns: readonly ResultColumn[]): readonly ResultColumn[] {
  return columns.map((column) =>
    column.id === 'date'
      ? { ...column, width: periodWidth, cell: ({ date: start, end }) => start && timeWords({ start, end }) }
      : column,
  );
}

/** The columns for rows of two lines: names first, ids below. */
export function inTwoLines(columns: readonly ResultColumn[]): readonly ResultColumn[] {
  // Beneath the name stands the id: its own column is shown where it was chosen.
  const needed = columns.filter(({ id: key, from }) => key !== 'id' || from === undefined);
  return needed.map((column) =>
    column.id === 'title'
      ? { ...column, cell: (row) => <TwoLines name={row.title} below={row.id} /> }
      : column,
  );
}

/** The parameter by which the server sorts a column of this type; undefined where it does not. */
export function serverOrder({ parameter }: ResultColumn, type: ResourceType): string | undefined {
  if (parameter === undefined) return undefined;
  return searchParametersOf(type).find(({ sort }) => sort === parameter)?.name;
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
