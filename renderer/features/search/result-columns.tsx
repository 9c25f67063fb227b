import { IconAlertTriangle, IconCircleX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { searchParametersOf } from '../../../core/fhir/search-parameters.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { shownReference } from '../../ui/format.ts';
import type { GridColumn } from '../../ui/grid/columns.ts';
import type { IssueCount } from '../../platform/sight.ts';
import { StatusDot } from '../../ui/status-dot.tsx';
import { text } from '../../ui/text.ts';
import { exactDays, exactTime, relativeTime, writtenDays } from '../../ui/time.ts';
import type { ColumnOrder } from './result-order.ts';
import type { ResultRow } from './result-rows.ts';
import styles from './search.module.css';

/** A column of the results: how wide, how sorted, how drawn. */
export interface ResultColumn extends GridColumn<ResultRow>, ColumnOrder<ResultRow> {
  /** What the server's order by it compares. */
  readonly parameter?: string;
}

const labels = text.results.columns;

/** Every column, in order. */
export const resultColumns: readonly ResultColumn[] = [
  {
    id: 'status',
    label: labels.status,
    // The longest word, `entered-in-error`, is read in full.
    width: 134,
    parameter: 'status',
    comparison: 'text',
    valueOf: ({ status }) => status,
    cell: ({ status }) => <StatusDot status={status} />,
    hint: ({ status }) => status,
  },
  {
    id: 'title',
    label: labels.title,
    width: 172,
    share: 2.2,
    parameter: 'title',
    comparison: 'text',
    valueOf: ({ title }) => title,
    cell: ({ title }) => title,
    hint: ({ title }) => title,
  },
  {
    id: 'subject',
    label: labels.subject,
    width: 100,
    share: 1.1,
    comparison: 'text',
    valueOf: subjectShown,
    cell: (row) => row.subjectName || <span className="mono">{subjectShown(row)}</span>,
    hint: ({ subject, subjectName }) => [...new Set([subjectName, subject])].filter(Boolean).join(' · '),
  },
  {
    id: 'encounter',
    label: labels.encounter,
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
  {
    id: 'date',
    label: labels.date,
    width: 112,
    parameter: 'date',
    comparison: 'time',
    mono: true,
    valueOf: ({ date }) => date,
    cell: ({ date, end }) => writtenDays(date, end),
    hint: ({ date, end }) => exactDays(date, end),
  },
  {
    id: 'version',
    label: labels.version,
    width: 74,
    comparison: 'number',
    mono: true,
    valueOf: ({ version }) => version,
    cell: ({ version }) => version,
    // Other servers' versions may be longer than a number.
    hint: ({ version }) => version,
  },
  {
    id: 'lastUpdated',
    label: labels.lastUpdated,
    width: 94,
    parameter: '_lastUpdated',
    comparison: 'time',
    valueOf: ({ lastUpdated }) => lastUpdated,
    cell: ({ lastUpdated }, now) =>
      lastUpdated === '' ? null : <time dateTime={lastUpdated}>{relativeTime(lastUpdated, now)}</time>,
    hint: ({ lastUpdated }) => (lastUpdated === '' ? '' : exactTime(lastUpdated)),
  },
  {
    id: 'quality',
    label: labels.quality,
    width: 84,
    comparison: 'number',
    valueOf: ({ issues }) => (issues ? String(issues.errors * 10_000 + issues.warnings) : ''),
    cell: ({ issues }) => issues && <IssueCounts issues={issues} />,
    hint: ({ issues }) => {
      if (!issues) return '';
      const { errors, warnings } = issues;
      return errors + warnings === 0 ? text.results.noIssues : text.results.issues(errors, warnings);
    },
  },
  {
    id: 'id',
    label: labels.id,
    width: 80,
    share: 1,
    parameter: '_id',
    comparison: 'code',
    mono: true,
    valueOf: ({ id }) => id,
    cell: ({ id }) => id,
    hint: ({ id }) => id,
  },
];

/** Width of a date with its period's end. */
const periodWidth = 188;

/** The columns where there are periods to show, which a date's own width has no room for. */
export function withPeriods(columns: readonly ResultColumn[]): readonly ResultColumn[] {
  return columns.map((column) => (column.id === 'date' ? { ...column, width: periodWidth } : column));
}

/** The parameter by which the server sorts a column of this type; undefined where it does not. */
export function serverOrder({ parameter }: ResultColumn, type: ResourceType): string | undefined {
  if (parameter === undefined) return undefined;
  return searchParametersOf(type).find(({ sort }) => sort === parameter)?.name;
}

function subjectShown({ subject, subjectName }: ResultRow): string {
  return subjectName || shownReference(subject, 'Patient');
}

/** How many errors and warnings a record has. */
export function IssueCounts({ issues }: { readonly issues: IssueCount }): ReactNode {
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
