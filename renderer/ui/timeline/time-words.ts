import type { WrittenTime } from '../../../core/fhir/timeline/plan-times.ts';
import { text } from '../text.ts';
import { formatDays } from '../time.ts';

const words = text.timeline;

/** A time by its days as they are written, an end that is not named called open. */
export function timeWords({ start, end }: Pick<WrittenTime, 'start' | 'end'>): string {
  if (start === '') return words.until(formatDays(end));
  if (end === '') return words.from(formatDays(start));
  return start === end ? formatDays(start) : formatDays(start, end);
}
