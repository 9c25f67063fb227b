import type { Age } from '../../../core/fhir/card/age.ts';
import { formatPlural } from '../format.ts';

const monthsOfYear = 12;

/** Formats an age: `76 years old`, `75–76 years old`, `14 months old`, `died aged 76`. */
export function formatAge({ minMonths, maxMonths }: Age, isDead: boolean): string {
  const inMonths = maxMonths < 2 * monthsOfYear;
  const unit = inMonths ? 1 : monthsOfYear;
  const low = Math.floor(minMonths / unit);
  const high = Math.floor(maxMonths / unit);
  if (low === high) return ageMessages.exact(high, inMonths, isDead);
  return ageMessages.range(low, high, inMonths, isDead);
}

const ageMessages = {
  exact(age: number, inMonths: boolean, dead: boolean): string {
    if (inMonths && dead)
      return formatPlural(age, { one: 'died aged {n} month', other: 'died aged {n} months' });
    if (inMonths) return formatPlural(age, { one: '{n} month old', other: '{n} months old' });
    return dead
      ? formatPlural(age, { other: 'died aged {n}' })
      : formatPlural(age, { one: '{n} year old', other: '{n} years old' });
  },
  range(low: number, age: number, inMonths: boolean, dead: boolean): string {
    if (inMonths && dead) return formatPlural(age, { other: 'died aged {low}–{n} months' }, { low });
    if (inMonths) return formatPlural(age, { other: '{low}–{n} months old' }, { low });
    return dead
      ? formatPlural(age, { other: 'died aged {low}–{n}' }, { low })
      : formatPlural(age, { other: '{low}–{n} years old' }, { low });
  },
};
