import { formatCount } from '../format.ts';

export const changes = {
  kinds: { added: 'Added', removed: 'Removed', moved: 'Moved' },
  named: {
    changed: (element: string) => element,
    added: (element: string) => `added ${element}`,
    removed: (element: string) => `removed ${element}`,
    moved: (element: string) => `moved ${element}`,
  },
  between: (previous: string, present: string) => `${previous} to ${present}`,
  was: (previous: string) => `was ${previous}`,
  further: (nextCount: number, hiddenCount: number) =>
    nextCount === hiddenCount
      ? `Show ${formatCount(hiddenCount)} more`
      : `Show ${formatCount(nextCount)} of ${formatCount(hiddenCount)} more`,
  whole: 'Show all',
  clipped: 'Show less',
} as const;
