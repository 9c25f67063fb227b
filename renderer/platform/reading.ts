import type { Reading } from '../../core/fhir/reading/reading.ts';
import { LatestWorker } from './latest-worker.ts';
import type { ReadingAnswer, ReadingQuestion } from './reading.worker.ts';
import ReadingWorker from './reading.worker.ts?worker';

const worker = new LatestWorker<ReadingQuestion, ReadingAnswer>(() => new ReadingWorker());

/**
 * Lays a text out for a reader off the page's thread: a worker of its own, as the one that judges takes longer. Returns
 * how to lose interest.
 */
export function askReading(
  question: ReadingQuestion,
  listener: (reading: Reading | undefined) => void,
): () => void {
  return worker.ask(question, ({ reading }) => listener(reading));
}
