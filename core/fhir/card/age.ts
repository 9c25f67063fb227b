import { dayLength } from '../../types/definition/dates.ts';
import { daysOf } from '../timeline/days.ts';

/** How old somebody is in whole months; of a partial date, from the least to the most. */
export interface Age {
  readonly least: number;
  readonly most: number;
}

/** The age on `day` of who was born on `born`, both as written; undefined where it cannot be told. */
export function ageOn(born: string, day: string): Age | undefined {
  const from = daysOf(born);
  const to = daysOf(day);
  if (!from || !to || from.first > to.last) return undefined;
  return { least: Math.max(0, monthsBetween(from.last, to.first)), most: monthsBetween(from.first, to.last) };
}

/** Whole months of the calendar from one day to another. */
function monthsBetween(first: number, last: number): number {
  const [from, to] = [first, last].map((day) => new Date(day * dayLength)) as [Date, Date];
  const months = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();
  return months(to) - months(from) - (to.getUTCDate() < from.getUTCDate() ? 1 : 0);
}
