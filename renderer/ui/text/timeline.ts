import { formatCount, formatPlural } from '../format.ts';
import { formatDuration } from './lasting.ts';

export const timeline = {
  name: 'Timeline',
  bars: 'Timeline bars. Arrow keys move, plus and minus zoom.',
  zoom: { all: 'All', year: 'Year', month: 'Month' },
  zoomName: 'Zoom',
  today: 'Today',
  earlier: 'Earlier',
  later: 'Later',
  inSight: (firstDay: string, lastDay: string) => `${firstDay} – ${lastDay}`,
  table: 'Timeline as a table',
  columns: { what: 'Item', lane: 'Type', status: 'Status', when: 'Date', warning: 'Note' },
  from: (start: string) => `since ${start}`,
  until: (end: string) => `until ${end}`,
  several: (firstItem: string, count: number) => `${firstItem} and ${formatCount(count - 1)} more`,
  drawn: (renderedCount: number, total: number) =>
    `Showing ${formatCount(renderedCount)} of ${formatCount(total)}. The table below has all.`,
  plan: 'Plan',
  outside: {
    wholly: 'outside the plan’s period',
    partly: 'partly outside the plan’s period',
  },
  noPeriod: 'This plan has no period.',
  unreadPeriod: (periodText: string) => `The plan’s period can’t be shown: ${periodText}`,
  untimed: (count: number) =>
    formatPlural(count, { one: '{n} unscheduled activity', other: '{n} unscheduled activities' }),
  moreBelow: (count: number) => `${formatCount(count)} more in the table below`,
  day: (day: number, total: number) => `day ${day} of ${total}`,
  days: formatDuration,
  since: (length: string) => `for ${length}, no end date`,
  begins: (length: string) => `starts in ${length}`,
  ended: (length: string, age: string) => `${length}, ended ${age} ago`,
  todayHere: 'today',
} as const;
