import { formatUnit } from '../format.ts';

/** Returns a number of days in the largest sensible unit: `12 days`, `3 months`, `2 years`. */
export function formatDuration(days: number): string {
  if (days < 90) return formatUnit(days, 'day');
  return days < 731
    ? formatUnit(Math.round(days / 30.44), 'month')
    : formatUnit(Math.floor(days / 365.25), 'year');
}
