import type { GridColumn } from '../grid/columns.ts';
import { clockTime, exactTime, isSameDay } from '../time.ts';

interface TimedEntry {
  readonly time: string;
}

/** Widths in CSS pixels of a time of today, and of a time with its date, in any language. */
const clockWidth = 108;
const dayWidth = 196;

/** Column of times. It is wide only if the oldest entry is not of today. */
export function timeColumn(label: string, entries: readonly TimedEntry[]): GridColumn<TimedEntry> {
  const oldest = entries.at(-1);
  const hasOlderDays = oldest !== undefined && !isSameDay(Date.parse(oldest.time), Date.now());
  return {
    id: 'time',
    label,
    width: hasOlderDays ? dayWidth : clockWidth,
    isMonospaced: true,
    cell: ({ time }, now) => <time dateTime={time}>{clockTime(time, now, 'second')}</time>,
    hint: ({ time }) => exactTime(time),
  };
}
