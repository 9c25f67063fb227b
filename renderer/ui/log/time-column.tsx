import type { GridColumn } from '../grid/columns.ts';
import { clockTime, exactTime, isSameDay } from '../time.ts';

interface Timed {
  readonly time: string;
}

/** Wide enough for a time of today, and for one with its day before it, in any language. */
const clockWidth = 108;
const dayWidth = 196;

/** The column of times; wide only where there are days to show: the last entry is the oldest. */
export function timeColumn(label: string, entries: readonly Timed[]): GridColumn<Timed> {
  const oldest = entries.at(-1);
  const dated = oldest !== undefined && !isSameDay(Date.parse(oldest.time), Date.now());
  return {
    id: 'time',
    label,
    width: dated ? dayWidth : clockWidth,
    mono: true,
    cell: ({ time }, now) => <time dateTime={time}>{clockTime(time, now, 'second')}</time>,
    hint: ({ time }) => exactTime(time),
  };
}
