import { IconAlertTriangle, IconCircleX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { searchParametersOf } from '../../../core/fhir/search-parameters.ts';
import {
  resultColumnIds,
  type ResultColumnId,
  type ResultColumnLayout,
} from '../../../core/app/result-columns.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { exactTime, formatPeriod, relativeTime, shownReference } from '../../ui/format.ts';
import { StatusDot } from '../../ui/status-dot.tsx';
import { text } from '../../ui/text.ts';
import type { ColumnOrder } from './result-order.ts';
import type { ResultRow } from './result-rows.ts';
import styles from './search.module.css';

/** A column of the results: how wide, how sorted, how drawn. */
export interface ResultColumn extends ColumnOrder<ResultRow> {
  readonly id: ResultColumnId;
  readonly label: string;
  /** Least width in CSS pixels, and the share of the room that is left over. */
  readonly width: number;
  readonly share: number;
  /** What the server's order by it compares. */
  readonly parameter?: string;
  readonly mono?: true;
  /** Where the room is short the beginning is left out. The cell's text stands in a `bdi`. */
  readonly cutAtStart?: true;
  readonly cell: (row: ResultRow, now: number) => ReactNode;
  /** What the cell's tooltip says. */
  readonly hint?: (row: ResultRow) => string;
}

const labels = text.results.columns;

const table: Readonly<Record<ResultColumnId, Omit<ResultColumn, 'id' | 'label'>>> = {
  status: {
    // The longest word, `entered-in-error`, is read in full.
    width: 134,
    share: 0,
    parameter: 'status',
    comparison: 'text',
    valueOf: ({ status }) => status,
    cell: ({ status }) => <StatusDot status={status} />,
    hint: ({ status }) => status,
  },
  title: {
    width: 172,
    share: 2.2,
    parameter: 'title',
    comparison: 'text',
    valueOf: ({ title }) => title,
    cell: ({ title }) => title,
    hint: ({ title }) => title,
  },
  subject: {
    width: 100,
    share: 1.1,
    comparison: 'text',
    valueOf: subjectShown,
    cell: (row) => row.subjectName || <span className="mono">{subjectShown(row)}</span>,
    hint: ({ subject, subjectName }) => [...new Set([subjectName, subject])].filter(Boolean).join(' · '),
  },
  encounter: {
    width: 120,
    share: 1.2,
    comparison: 'text',
    mono: true,
    valueOf: ({ encounter }) => encounter,
    // Ids of one house often begin alike: where the room is short the end is read.
    cutAtStart: true,
    cell: ({ encounter }) => <bdi dir="ltr">{shownReference(encounter, 'Encounter')}</bdi>,
    hint: ({ encounter }) => encounter,
  },
  date: {
    width: 112,
    share: 0,
    parameter: 'date',
    comparison: 'time',
    mono: true,
    valueOf: ({ date }) => date,
    cell: ({ date, end }) => formatPeriod(date, end),
    hint: ({ date, end }) => [date, end].filter(Boolean).map(exactIfInstant).join(' – '),
  },
  version: {
    width: 74,
    share: 0,
    comparison: 'number',
    mono: true,
    valueOf: ({ version }) => version,
    cell: ({ version }) => version,
  },
  lastUpdated: {
    width: 94,
    share: 0,
    parameter: '_lastUpdated',
    comparison: 'time',
    valueOf: ({ lastUpdated }) => lastUpdated,
    cell: ({ lastUpdated }, now) =>
      lastUpdated === '' ? null : <time dateTime={lastUpdated}>{relativeTime(lastUpdated, now)}</time>,
    hint: ({ lastUpdated }) => (lastUpdated === '' ? '' : exactTime(lastUpdated)),
  },
  quality: {
    width: 84,
    share: 0,
    comparison: 'number',
    valueOf: ({ issues }) => (issues ? String(issues.errors * 10_000 + issues.warnings) : ''),
    cell: QualityCell,
    hint: ({ issues }) => {
      if (!issues) return '';
      const { errors, warnings } = issues;
      return errors + warnings === 0 ? text.results.noIssues : text.results.issues(errors, warnings);
    },
  },
  id: {
    width: 80,
    share: 1,
    parameter: '_id',
    comparison: 'code',
    mono: true,
    valueOf: ({ id }) => id,
    cell: ({ id }) => id,
    hint: ({ id }) => id,
  },
};

/** Every column, in order. */
export const resultColumns: readonly ResultColumn[] = resultColumnIds.map((id) => ({
  id,
  label: labels[id],
  ...table[id],
}));

/** The columns of these ids, in order. */
export function shownColumns(shown: ResultColumnLayout['shown']): readonly ResultColumn[] {
  return resultColumns.filter(({ id }) => shown.includes(id));
}

/** Width of a date with its period's end. */
const periodWidth = 188;

export interface Tracks {
  /** The row's CSS grid. */
  readonly template: string;
  /** The least width of a row in CSS pixels. */
  readonly width: number;
}

/** The grid tracks of every row; the date is wide only where there are periods to show. */
export function tracksOf(
  columns: readonly ResultColumn[],
  { widths }: ResultColumnLayout,
  hasPeriods: boolean,
): Tracks {
  const sized = columns.map(({ id, width, share }) => {
    const own = id === 'date' && hasPeriods ? periodWidth : width;
    return { width: widths[id] ?? own, share: widths[id] === undefined ? share : 0 };
  });
  // Where nothing takes the room that is left, the last column's end is free.
  const spare = sized.every(({ share }) => share === 0) ? ' minmax(0, 1fr)' : '';
  return {
    template:
      sized
        .map(({ width, share }) => (share === 0 ? `${width}px` : `minmax(${width}px, ${share}fr)`))
        .join(' ') + spare,
    width: sized.reduce((sum, { width }) => sum + width, 0),
  };
}

/** The parameter by which the server sorts a column of this type; undefined where it does not. */
export function serverOrder({ parameter }: ResultColumn, type: ResourceType): string | undefined {
  if (parameter === undefined) return undefined;
  return searchParametersOf(type).find(({ sort }) => sort === parameter)?.name;
}

function subjectShown({ subject, subjectName }: ResultRow): string {
  return subjectName || shownReference(subject, 'Patient');
}

function QualityCell({ issues }: ResultRow): ReactNode {
  if (!issues) return null;
  const { errors, warnings } = issues;
  if (errors + warnings === 0) return <span className={styles.noIssues}>–</span>;
  return (
    <span className={styles.issues} role="img" aria-label={text.results.issues(errors, warnings)}>
      {errors > 0 && (
        <span data-tone="danger">
          <IconCircleX size={13} aria-hidden />
          {errors}
        </span>
      )}
      {warnings > 0 && (
        <span data-tone="warning">
          <IconAlertTriangle size={13} aria-hidden />
          {warnings}
        </span>
      )}
    </span>
  );
}

function exactIfInstant(dateTime: string): string {
  return dateTime.includes('T') ? exactTime(dateTime) : dateTime;
}
