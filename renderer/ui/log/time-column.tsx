import { exactTime } from '../format.ts';
import type { ListColumn } from '../list-grid.tsx';
import { entryTime, timeTrack } from './log-facts.ts';

interface Timed {
  readonly time: string;
}

/** The column of times; wide only where there are days to show. */
export function timeColumn(label: string, entries: readonly Timed[]): ListColumn<Timed> {
  return {
    id: 'time',
    label,
    track: timeTrack(entries.at(-1)?.time),
    mono: true,
    cell: ({ time }) => <time dateTime={time}>{entryTime(time, Date.now())}</time>,
    hint: ({ time }) => exactTime(time),
  };
}
