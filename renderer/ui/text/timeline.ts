import { formatCount, formatPlural } from '../format.ts';
import { formatDuration } from './lasting.ts';

/** Text of what is drawn over time. */
export const timeline = {
  name: 'Timeline',
  bars: 'Timeline bars. Arrow keys move, plus and minus zoom.',
  zoom: { all: 'All', year: 'Year', month: 'Month' },
  zoomName: 'Zoom',
  today: 'Today',
  earlier: 'Earlier',
  later: 'Later',
  inSight: (first: string, last: string) => `${first} – ${last}`,
  table: 'Timeline as a table',
  columns: { what: 'Item', lane: 'Type', status: 'Status', when: 'Date', warning: 'Note' },
  from: (start: string) => `since ${start}`,
  until: (end: string) => `until ${end}`,
  several: (first: string, count: number) => `${first} and ${formatCount(count - 1)} more`,
  drawn: (drawn: number, all: number) =>
    `Showing ${formatCount(drawn)} of ${formatCount(all)}. The table below has all.`,
  plan: 'Plan',
  outside: {
    wholly: 'outside the plan’s period',
    partly: 'partly outside the plan’s period',
  },
  noPeriod: 'This plan has no period.',
  unreadPeriod: (written: string) => `The plan’s period can’t be shown: ${written}`,
  untimed: (count: number) =>
    formatPlural(count, { one: '{n} unscheduled activity', other: '{n} unscheduled activities' }),
  moreBelow: (count: number) => `${formatCount(count)} more in the table below`,
  day: (day: number, of: number) => `day ${day} of ${of}`,
  days: formatDuration,
  since: (length: string) => `for ${length}, no end date`,
  begins: (length: string) => `starts in ${length}`,
  ended: (length: string, ago: string) => `${length}, ended ${ago} ago`,
  todayHere: 'today',
} as const;
