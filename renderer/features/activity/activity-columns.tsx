import type { ReactNode } from 'react';
import {
  isJobEntry,
  type ActivityEntry,
  type JobEntry,
  type RequestEntry,
} from '../../../core/app/activity.ts';
import { formatBytes, formatCount } from '../../ui/format.ts';
import type { GridColumn } from '../../ui/grid/columns.ts';
import { readablePath, statusWords, toneOf, versionChange } from '../../ui/log/log-facts.ts';
import { timeColumn } from '../../ui/log/time-column.tsx';
import { text } from '../../ui/text.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import styles from './activity.module.css';

type Column = GridColumn<ActivityEntry>;

/** Least width of the list at which columns are shown that the details tell as well. */
const wide = 900;
const { columns: labels } = text.activity;

/** A cell that only requests have. */
const ofRequest = (cell: (entry: RequestEntry) => ReactNode) => (entry: ActivityEntry) =>
  isJobEntry(entry) ? null : cell(entry);

/** The columns of the list. */
export function activityColumns(entries: readonly ActivityEntry[]): readonly Column[] {
  return [timeColumn(labels.time, entries), ...others];
}

const others: readonly Column[] = [
  {
    id: 'kind',
    label: labels.kind,
    width: 104,
    from: wide,
    cell: ({ kind }) => text.activity.kinds[kind],
  },
  {
    id: 'connection',
    label: labels.connection,
    width: 104,
    from: wide,
    cell: ({ connection }) => connection,
  },
  { id: 'method', label: labels.method, width: 84, mono: true, cell: ofRequest(({ method }) => method) },
  {
    id: 'path',
    label: labels.path,
    width: 180,
    share: 1,
    mono: true,
    cell: (entry) => (isJobEntry(entry) ? <JobNote {...entry} /> : readablePath(entry.path)),
    hint: (entry) => (isJobEntry(entry) ? entry.note : entry.path),
  },
  {
    id: 'status',
    label: labels.status,
    width: 164,
    cell: ofRequest(({ status }) => <ToneDot tone={toneOf(status)} label={statusWords(status)} />),
  },
  {
    id: 'version',
    label: labels.version,
    width: 92,
    from: wide,
    mono: true,
    cell: ofRequest(({ record }) => versionChange(record?.before, record?.after)),
  },
  {
    id: 'ms',
    label: labels.ms,
    width: 78,
    mono: true,
    end: true,
    cell: ofRequest(({ ms }) => text.activity.ms(ms)),
  },
  {
    id: 'size',
    label: labels.size,
    width: 84,
    from: wide,
    mono: true,
    end: true,
    cell: ofRequest(({ answerBytes }) => formatBytes(answerBytes)),
    hint: (entry) => (isJobEntry(entry) ? '' : `${formatCount(entry.answerBytes)} B`),
  },
];

function JobNote({ note, counts }: JobEntry) {
  const told = Object.entries(counts).map(([name, count]) => `${formatCount(count)} ${name}`);
  return (
    <span className={styles.note}>
      {note} {told.length > 0 && <span className="dim">{told.join(', ')}</span>}
    </span>
  );
}
