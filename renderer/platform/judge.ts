import type { Judgement } from '../../core/fhir/judgement.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { LineChange } from '../../core/json/line-changes.ts';
import JudgeWorker from './judge.worker.ts?worker';

export interface JudgeQuestion {
  readonly ticket: number;
  readonly text: string;
  /** The text that the steward began with; absent where it is that of the question before. */
  readonly base?: string;
  readonly type: ResourceType;
  /** A date (YYYY-MM-DD): what is overdue depends on it. */
  readonly today: string;
}

export interface JudgeAnswer extends Judgement {
  readonly ticket: number;
  /** The lines that differ from the base. */
  readonly changes: readonly LineChange[];
}

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
