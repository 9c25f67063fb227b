import type { JudgeAnswer, JudgeQuestion } from './validation.worker.ts';
import JudgeWorker from './validation.worker.ts?worker';
import { LatestWorker } from './latest-worker.ts';

type Question = Required<JudgeQuestion>;

const worker = new LatestWorker<Question, JudgeAnswer>(
  () => new JudgeWorker(),
  ({ base, customIssuesText, ...members }, lastQuestion) => ({
    ...members,
    ...(base !== lastQuestion?.base && { base }),
    ...(customIssuesText !== lastQuestion?.customIssuesText && { foundIn: customIssuesText }),
  }),
);

/**
 * Validates a text in a worker. Only the latest question is answered; a waiting one is dropped for a newer
 * one. Returns the function that cancels it.
 */
export function validateInWorker(question: Question, listener: (answer: JudgeAnswer) => void): () => void {
  return worker.ask(question, listener);
}
