import type { ReactNode } from 'react';
import { isJobEntry, type ActivityEntry, type RequestEntry } from '../../../core/app/activity.ts';
import { exactTime, formatBytes, formatCount } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import { clockTime, readablePath, statusWords, toneOf } from './entry-facts.ts';
import styles from './activity.module.css';

interface Column {
  readonly id: keyof typeof text.activity.columns;
  /** Width as a track of the row's CSS grid. */
  readonly track: string;
  /** Left out where the details stand beside the list and say the same. */
  readonly wideOnly?: true;
  readonly mono?: true;
  readonly end?: true;
  readonly cell: (entry: ActivityEntry) => ReactNode;
  readonly hint?: (entry: ActivityEntry) => string;
}

/** A cell that only requests have. */
const ofRequest = (cell: (entry: RequestEntry) => ReactNode) => (entry: ActivityEntry) =>
  isJobEntry(entry) ? null : cell(entry);

/** Wide enough for a time of today, and for one with its day before. */
const clockTrack = '88px';
const dayTrack = '136px';

const all: readonly Column[] = [
  {
    id: 'time',
    track: clockTrack,
    mono: true,
    cell: ({ time }) => <time dateTime={time}>{clockTime(time, Date.now())}</time>,
    hint: ({ time }) => exactTime(time),
  },
  { id: 'kind', track: '104px', wideOnly: true, cell: ({ kind }) => text.activity.kinds[kind] },
  { id: 'connection', track: '104px', wideOnly: true, cell: ({ connection }) => connection },
  { id: 'method', track: '84px', mono: true, cell: ofRequest(({ method }) => method) },
  {
    id: 'path',
    track: 'minmax(180px, 1fr)',
    mono: true,
    cell: (entry) =>
      isJobEntry(entry) ? <JobNote note={entry.note} counts={entry.counts} /> : readablePath(entry.path),
    hint: (entry) => (isJobEntry(entry) ? entry.note : entry.path),
  },
  {
    id: 'status',
    track: '164px',
    cell: ofRequest(({ status }) => <ToneDot tone={toneOf(status)} label={statusWords(status)} />),
  },
  {
    id: 'version',
    track: '92px',
    wideOnly: true,
    mono: true,
    cell: ofRequest(({ record }) => text.activity.version(record?.before, record?.after)),
  },
  { id: 'ms', track: '78px', mono: true, end: true, cell: ofRequest(({ ms }) => text.activity.ms(ms)) },
  {
    id: 'size',
    track: '84px',
    wideOnly: true,
    mono: true,
    end: true,
    cell: ofRequest(({ answerBytes }) => formatBytes(answerBytes)),
    hint: (entry) => (isJobEntry(entry) ? '' : `${formatCount(entry.answerBytes)} B`),
  },
];

/** The columns of the list, fewer where it stands beside the details. */
export function columnsFor(narrow: boolean): readonly Column[] {
  return narrow ? all.filter(({ wideOnly }) => wideOnly === undefined) : all;
}

/** The grid tracks of every row; the time is wide only where there are days to show. */
export function tracksFor(columns: readonly Column[], entries: readonly ActivityEntry[]): string {
  const oldest = entries.at(-1);
  const dated = oldest !== undefined && clockTime(oldest.time, Date.now()).includes(' ');
  return columns.map(({ id, track }) => (id === 'time' && dated ? dayTrack : track)).join(' ');
}

function JobNote({
  note,
  counts,
}: {
  readonly note: string;
  readonly counts: Readonly<Record<string, number>>;
}) {
  const told = Object.entries(counts).map(([name, count]) => `${formatCount(count)} ${name}`);
  return (
    <span className={styles.note}>
      {note} {told.length > 0 && <span className={styles.dim}>{told.join(', ')}</span>}
    </span>
  );
}
