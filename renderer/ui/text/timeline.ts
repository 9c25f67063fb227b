import { lasting } from './lasting.ts';

/** Text of what is drawn over time. */
export const timeline = {
  name: 'Timeline',
  bars: 'Times, arrow keys move between them, plus and minus zoom',
  zoom: { all: 'All', year: 'Year', month: 'Month' },
  zoomName: 'Zoom',
  today: 'Today',
  earlier: 'Earlier',
  later: 'Later',
  inSight: (first: string, last: string) => `${first} to ${last}`,
  table: 'Timeline as a table',
  columns: { what: 'What', lane: 'Type', status: 'Status', when: 'When', warning: 'To look at' },
  from: (start: string) => `${start} – open`,
  until: (end: string) => `open – ${end}`,
  several: (first: string, count: number) => `${first} and ${count - 1} more`,
  drawn: (drawn: number, all: number) => `${drawn} of ${all} are drawn; the table below has all.`,
  plan: 'Plan',
  outside: {
    wholly: 'outside the plan’s period',
    partly: 'partly outside the plan’s period',
  },
  noPeriod: 'The plan states no period.',
  unreadPeriod: (written: string) => `The period of the plan cannot be drawn: ${written}`,
  untimed: (count: number) =>
    count === 1 ? '1 activity has no time of its own' : `${count} activities have no time of their own`,
  moreBelow: (count: number) => `${count} more in the table below`,
  day: (day: number, of: number) => `day ${day} of ${of}`,
  days: lasting,
  since: (length: string) => `for ${length}, no end stated`,
  begins: (length: string) => `begins in ${length}`,
  ended: (length: string) => `ended ${length} ago`,
  todayHere: 'today',
} as const;
