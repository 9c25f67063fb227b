import { LatestWorker } from './latest-worker.ts';
import type { ReadingAnswer, ReadingQuestion } from './reading.worker.ts';
import ReadingWorker from './reading.worker.ts?worker';

const worker = new LatestWorker<ReadingQuestion, ReadingAnswer>(() => new ReadingWorker());

/**
 * Builds the reading view of a text in a worker. It has its own worker, because the validation takes longer.
 * Returns the function that cancels the request.
 */
export function requestReading(
  question: ReadingQuestion,
  listener: (answer: ReadingAnswer) => void,
): () => void {
  return worker.ask(question, listener);
}
