import { dayMs } from '../../types/definition/dates.ts';
import { daysOf } from '../timeline/days.ts';

/** Age in whole months. A partial date gives a range. */
export interface Age {
  readonly minMonths: number;
  readonly maxMonths: number;
}

/** Returns the age on `day` of a person born on `born`, both as written; undefined if a date is unclear. */
export function ageOn(born: string, day: string): Age | undefined {
  const from = daysOf(born);
  const to = daysOf(day);
  if (!from || !to || from.firstDay > to.lastDay) return undefined;
  return {
    minMonths: Math.max(0, monthsBetween(from.lastDay, to.firstDay)),
    maxMonths: monthsBetween(from.firstDay, to.lastDay),
  };
}

/** Returns the whole calendar months between two days. */
function monthsBetween(fromDay: number, toDay: number): number {
  const [from, to] = [fromDay, toDay].map((day) => new Date(day * dayMs)) as [Date, Date];
  const months = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();
  return months(to) - months(from) - (to.getUTCDate() < from.getUTCDate() ? 1 : 0);
}
