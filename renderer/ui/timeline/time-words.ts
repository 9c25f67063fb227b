import type { WrittenTime } from '../../../core/fhir/timeline/plan-times.ts';
import { text } from '../text.ts';
import { writtenDays } from '../time.ts';

const words = text.timeline;

/** A time by its days as they are written, an end that is not named called open. */
export function timeWords({ start, end }: Pick<WrittenTime, 'start' | 'end'>): string {
  if (start === '') return words.until(writtenDays(end));
  if (end === '') return words.from(writtenDays(start));
  return start === end ? writtenDays(start) : writtenDays(start, end);
}
