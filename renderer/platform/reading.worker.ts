import { toReadableRecord, type ReadableRecord } from '../../core/fhir/reading/reading.ts';
import { limits } from '../../core/fhir/limits.ts';
import { positionAt } from '../../core/json/json-problem.ts';
import { maxDepth, tryScan } from '../../core/json/scan.ts';
import type { Ticketed } from './latest-worker.ts';

export interface ReadingQuestion {
  readonly text: string;
  /** Date (YYYY-MM-DD) that determines which items are overdue. */
  readonly today: string;
}

export interface ReadingAnswer extends Ticketed {
  /** True for the beginning of a long document, which follows completely. */
  readonly hasMore: boolean;
  /** Undefined if the text is not a JSON object. */
  readonly reading?: ReadableRecord;
  /** Line (from 1) of the first error if the text is not JSON. */
  readonly line?: number;
}

/** Number of sections that are sent first: more than fit into a window. */
const firstSectionCount = 40;

self.addEventListener('message', ({ data }: MessageEvent<ReadingQuestion & Ticketed>) => {
  const { ticket, text, today } = data;
  const postReading = (reading: ReadableRecord, hasMore: boolean) =>
    self.postMessage({ ticket, hasMore, reading } satisfies ReadingAnswer);
  const { root: record, problems } = tryScan(text, maxDepth, limits.values);
  if (record?.kind !== 'object') {
    const [fault] = problems;
    const line = fault && positionAt(text, fault.start).line;
    self.postMessage({ ticket, hasMore: false, ...(line !== undefined && { line }) } satisfies ReadingAnswer);
    return;
  }
  const beginning = toReadableRecord(record, today, firstSectionCount);
  const { sections = [], sectionCount = 0 } = beginning.document ?? {};
  const hasMore = sections.length < sectionCount;
  postReading(beginning, hasMore);
  if (hasMore) postReading(toReadableRecord(record, today), false);
});
