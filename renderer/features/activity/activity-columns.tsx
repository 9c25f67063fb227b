import type { ReactNode } from 'react';
import {
  isJobEntry,
  type ActivityEntry,
  type JobEntry,
  type RequestEntry,
} from '../../../core/app/activity.ts';
import { formatBytes, formatCount, formatList } from '../../ui/format.ts';
import type { GridColumn } from '../../ui/grid/columns.ts';
import { readablePath, formatStatus, toneOf, versionChange } from '../../ui/log/log-facts.ts';
import { timeColumn } from '../../ui/log/time-column.tsx';
import { text } from '../../ui/text.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import { countName } from './entry-facts.ts';
import styles from './activity.module.css';

type Column = GridColumn<ActivityEntry>;

/** Minimum width of the list for columns that the details also show. */
const wideFrom = 900;
const { columns: labels } = text.activity;

/** Returns a cell that is empty for jobs. */
const requestCell = (cell: (entry: RequestEntry) => ReactNode) => (entry: ActivityEntry) =>
  isJobEntry(entry) ? null : cell(entry);

/** Returns the columns of the list. */
export function activityColumns(entries: readonly ActivityEntry[]): readonly Column[] {
  return [timeColumn(labels.time, entries), ...otherColumns];
}

const otherColumns: readonly Column[] = [
  {
    id: 'kind',
    label: labels.kind,
    width: 104,
    minGridWidth: wideFrom,
    cell: ({ kind }) => text.activity.kinds[kind],
  },
  {
    id: 'connection',
    label: labels.connection,
    width: 104,
    minGridWidth: wideFrom,
    cell: ({ connection }) => connection,
  },
  {
    id: 'method',
    label: labels.method,
    width: 84,
    isMonospaced: true,
    cell: requestCell(({ method }) => method),
  },
  {
    id: 'path',
    label: labels.path,
    width: 180,
    flexShare: 1,
    isMonospaced: true,
    cell: (entry) => (isJobEntry(entry) ? <JobNote {...entry} /> : readablePath(entry.path)),
    hint: (entry) => (isJobEntry(entry) ? entry.note : entry.path),
  },
  {
    id: 'status',
    label: labels.status,
    width: 164,
    cell: requestCell(({ status }) => <ToneDot tone={toneOf(status)} label={formatStatus(status)} />),
  },
  {
    id: 'version',
    label: labels.version,
    width: 92,
    minGridWidth: wideFrom,
    isMonospaced: true,
    cell: requestCell(({ record }) => versionChange(record?.before, record?.after)),
  },
  {
    id: 'ms',
    label: labels.ms,
    width: 92,
    isMonospaced: true,
    isEndAligned: true,
    cell: requestCell(({ ms }) => text.activity.ms(ms)),
  },
  {
    id: 'size',
    label: labels.size,
    width: 84,
    minGridWidth: wideFrom,
    isMonospaced: true,
    isEndAligned: true,
    cell: requestCell(({ answerBytes }) => formatBytes(answerBytes)),
    hint: (entry) => (isJobEntry(entry) ? '' : `${formatCount(entry.answerBytes)} B`),
  },
];

function JobNote({ note, counts }: JobEntry) {
  const countTexts = Object.entries(counts).map(([code, count]) =>
    text.activity.countOf(countName(code), count),
  );
  return (
    <span className={styles.note}>
      {note} {countTexts.length > 0 && <span className="dim">{formatList(countTexts, 'unit')}</span>}
    </span>
  );
}
