import type { JudgeAnswer, JudgeQuestion } from './judge-messages.ts';
import JudgeWorker from './judge.worker.ts?worker';

type Listener = (answer: JudgeAnswer) => void;

let worker: Worker | undefined;
/** The base that the worker has. */
let known: string | undefined;
let tickets = 0;
let asked: { ticket: number; listener: Listener } | undefined;
let next: { question: Required<JudgeQuestion>; listener: Listener } | undefined;

/**
 * Judges a text in the one worker that does this, off the page's thread. The latest question alone is answered: one
 * that waits is dropped for a newer one. Returns how to lose interest.
 */
export function askJudge(question: Required<Omit<JudgeQuestion, 'ticket'>>, listener: Listener): () => void {
  tickets += 1;
  const ticket = tickets;
  next = { question: { ...question, ticket }, listener };
  if (!asked) askNext();
  return () => {
    if (next?.question.ticket === ticket) next = undefined;
    if (asked?.ticket === ticket) asked = { ticket, listener: () => undefined };
  };
}

function askNext(): void {
  if (!next) return;
  const { question, listener } = next;
  const { base, ...rest } = question;
  next = undefined;
  asked = { ticket: question.ticket, listener };
  worker ??= startWorker();
  worker.postMessage((base === known ? rest : question) satisfies JudgeQuestion);
  known = base;
}

function startWorker(): Worker {
  const started = new JudgeWorker();
  started.addEventListener('message', ({ data }: MessageEvent<JudgeAnswer>) => {
    const current = asked;
    asked = undefined;
    askNext();
    if (current?.ticket === data.ticket) current.listener(data);
  });
  // A worker that broke is not asked again with the same text; the next question starts another.
  started.addEventListener('error', () => {
    started.terminate();
    worker = undefined;
    known = undefined;
    asked = undefined;
    askNext();
  });
  return started;
}
