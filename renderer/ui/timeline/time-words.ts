import type { WrittenTime } from '../../../core/fhir/timeline/plan-times.ts';
import { text } from '../text.ts';
import { formatDays } from '../time.ts';

const messages = text.timeline;

/** Formats a time by its days: a range, or since its start, or until its end. Empty without both. */
export function timeWords({ start, end }: Pick<WrittenTime, 'start' | 'end'>): string {
  if (start === '') return end === '' ? '' : messages.until(formatDays(end));
  if (end === '') return messages.from(formatDays(start));
  return start === end ? formatDays(start) : formatDays(start, end);
}
