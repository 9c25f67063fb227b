import { formatPlural } from '../format.ts';

/** Text of times that are told by their age. Intl.RelativeTimeFormat writes `5m ago`, which may be months. */
export const timeText = {
  now: 'just now',
  minutes: (count: number) => formatPlural(count, { other: '{n} min ago' }),
  hours: (count: number) => formatPlural(count, { other: '{n} h ago' }),
  days: (count: number) => formatPlural(count, { other: '{n} d ago' }),
} as const;
