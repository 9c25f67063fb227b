import { formatCount } from '../format.ts';

/** Text of a list of changes. */
export const changes = {
  kinds: { added: 'Added', removed: 'Removed', moved: 'Moved' },
  between: (former: string, present: string) => `${former} to ${present}`,
  was: (former: string) => `was ${former}`,
  further: (next: number, left: number) =>
    next === left
      ? `Show ${formatCount(left)} more`
      : `Show ${formatCount(next)} of ${formatCount(left)} more`,
  whole: 'Show all',
  clipped: 'Show less',
} as const;
