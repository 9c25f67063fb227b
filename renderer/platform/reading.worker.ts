import { readingOf, type Reading } from '../../core/fhir/reading/reading.ts';
import { limits } from '../../core/fhir/limits.ts';
import { maxDepth, tryScan } from '../../core/json/scan.ts';
import type { Ticketed } from './latest-worker.ts';

export interface ReadingQuestion {
  readonly text: string;
  /** A date (YYYY-MM-DD): how long something is over depends on it. */
  readonly today: string;
}

export interface ReadingAnswer extends Ticketed {
  /** Whether this is the beginning of a long document, which follows whole. */
  readonly more: boolean;
  /** Absent where the text is not a JSON object. */
  readonly reading?: Reading;
}

/** Sections that are laid out before the others: more than fit into a window. */
const atOnce = 40;

self.addEventListener('message', ({ data }: MessageEvent<ReadingQuestion & Ticketed>) => {
  const { ticket, text, today } = data;
  const answer = (reading: Reading | undefined, more: boolean) =>
    self.postMessage({ ticket, more, ...(reading && { reading }) } satisfies ReadingAnswer);
  const { root: record } = tryScan(text, maxDepth, limits.values);
  if (record?.kind !== 'object') {
    answer(undefined, false);
    return;
  }
  const beginning = readingOf(record, today, atOnce);
  const { sections = [], sectionCount = 0 } = beginning.document ?? {};
  const more = sections.length < sectionCount;
  answer(beginning, more);
  if (more) answer(readingOf(record, today), false);
});
