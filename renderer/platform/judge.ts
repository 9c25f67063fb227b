import type { JudgeAnswer, JudgeQuestion } from './judge.worker.ts';
import JudgeWorker from './judge.worker.ts?worker';
import { LatestWorker } from './latest-worker.ts';

type Question = Required<JudgeQuestion>;

const worker = new LatestWorker<Question, JudgeAnswer>(
  () => new JudgeWorker(),
  ({ base, foundIn, ...rest }, last) => ({
    ...rest,
    ...(base !== last?.base && { base }),
    ...(foundIn !== last?.foundIn && { foundIn }),
  }),
);

/**
 * Judges a text in the one worker that does this, off the page's thread. The latest question alone is answered: one
 * that waits is dropped for a newer one. Returns how to lose interest.
 */
export function askJudge(question: Question, listener: (answer: JudgeAnswer) => void): () => void {
  return worker.ask(question, listener);
}
