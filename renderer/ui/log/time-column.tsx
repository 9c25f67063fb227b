import type { GridColumn } from '../grid/columns.ts';
import { clockTime, exactTime } from '../time.ts';

interface Timed {
  readonly time: string;
}

/** Wide enough for a time of today, and for one with its day before it. */
const clockWidth = 88;
const dayWidth = 168;

/** The column of times; wide only where there are days to show: the last entry is the oldest. */
export function timeColumn(label: string, entries: readonly Timed[]): GridColumn<Timed> {
  const dated = clockTime(entries.at(-1)?.time ?? '').includes(' ');
  return {
    id: 'time',
    label,
    width: dated ? dayWidth : clockWidth,
    mono: true,
    cell: ({ time }, now) => <time dateTime={time}>{clockTime(time, now, 'second')}</time>,
    hint: ({ time }) => exactTime(time),
  };
}
