import type { Age } from '../../../core/fhir/card/age.ts';
import { countOf } from '../format.ts';

const year = 12;

/** An age as a person says it: `76 years old`, `75 or 76 years old`, `14 months old`, `lived 76 years`. */
export function ageWords({ least, most }: Age, dead: boolean): string {
  const inMonths = most < 2 * year;
  const unit = inMonths ? 'month' : 'year';
  const [low, high] = inMonths ? [least, most] : [Math.floor(least / year), Math.floor(most / year)];
  const joined = high - low > 1 ? `${low} to ${countOf(high, unit)}` : `${low} or ${countOf(high, unit)}`;
  const age = low === high ? countOf(high, unit) : joined;
  return dead ? `lived ${age}` : `${age} old`;
}
