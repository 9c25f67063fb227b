import { formatCount, formatPlural } from '../format.ts';

/** Text of the values beside the results. */
export const filters = {
  name: 'Filters',
  hide: 'Hide filters',
  show: (selectedCount: number) =>
    selectedCount === 0 ? 'Show filters' : `Show filters (${formatCount(selectedCount)} selected)`,
  chosen: 'Selected',
  remove: (value: string) => `Remove ${value}`,
  clear: 'Clear filters',
  countingShort: 'Counting',
  counting: (facet: string) => `Counting ${facet}`,
  failed: (facet: string) => `Couldn’t count ${facet}.`,
  more: (hiddenCount: number, facet: string) => `${formatCount(hiddenCount)} more for ${facet}`,
  moreShort: (hiddenCount: number) => `${formatCount(hiddenCount)} more`,
  moreYears: (hiddenCount: number) =>
    formatPlural(hiddenCount, { one: '{n} earlier year', other: '{n} earlier years' }),
  unshown: (hiddenCount: number) => `${formatCount(hiddenCount)} more not shown`,
  days: {
    period: 'Period',
    ended: 'Ended before today',
    updated: 'Updated',
    today: 'Today',
    yesterday: 'Since yesterday',
    week: 'Last 7 days',
  },
  finding: 'Open the worklist for this rule',
} as const;
