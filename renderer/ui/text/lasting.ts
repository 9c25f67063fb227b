import { countOf } from '../format.ts';

/** A number of days as a person says it; the exact dates stand beside it. */
export function lasting(days: number): string {
  if (days < 90) return countOf(days, 'day');
  return days < 731 ? countOf(Math.round(days / 30.44), 'month') : countOf(Math.floor(days / 365.25), 'year');
}
