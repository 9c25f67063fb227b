import type { WrittenTime } from '../../../core/fhir/timeline/plan-times.ts';
import { text } from '../text.ts';
import { writtenDays } from '../time.ts';

const words = text.timeline;

/** Returns a time by its days as they are written: a range, or since its start, or until its end. Empty without both. */
export function timeWords({ start, end }: Pick<WrittenTime, 'start' | 'end'>): string {
  if (start === '') return end === '' ? '' : words.until(writtenDays(end));
  if (end === '') return words.from(writtenDays(start));
  return start === end ? writtenDays(start) : writtenDays(start, end);
}
