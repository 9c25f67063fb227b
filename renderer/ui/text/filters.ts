import { formatCount } from '../format.ts';

/** Text of the values beside the results. */
export const filters = {
  name: 'Filters',
  hide: 'Hide filters',
  show: (chosen: number) => (chosen === 0 ? 'Show filters' : `Show filters, ${formatCount(chosen)} chosen`),
  chosen: 'Chosen',
  remove: (value: string) => `Remove ${value}`,
  clear: 'Clear filters',
  countingShort: 'counting',
  counting: (facet: string) => `Counting ${facet}`,
  failed: (facet: string) => `${facet} was not counted.`,
  more: (facet: string) => `More of ${facet}`,
  moreShort: (left: number) => `${formatCount(left)} more`,
  moreYears: (left: number) => `${formatCount(left)} earlier ${left === 1 ? 'year' : 'years'}`,
  unshown: (left: number) => `${formatCount(left)} more are not shown`,
  days: {
    period: 'Period',
    ended: 'Ended before today',
    updated: 'Updated',
    today: 'Today',
    yesterday: 'Since yesterday',
    week: 'Last 7 days',
  },
  finding: 'Opens the worklist with this rule',
  /** A parameter in words: `_source` is Source. */
  facet(name: string): string {
    const words = name.replace(/^_/, '').replaceAll('-', ' ');
    return words.charAt(0).toUpperCase() + words.slice(1);
  },
} as const;
