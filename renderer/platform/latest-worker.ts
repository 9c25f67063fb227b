/** A worker that answers only the latest question. A waiting question is dropped for a newer one. */

/** Number that assigns an answer to its question. */
export interface Ticketed {
  readonly ticket: number;
}

interface PartialAnswer extends Ticketed {
  /** True if another answer to the same question follows. */
  readonly hasMore?: boolean;
}

interface PendingQuestion<Question, Answer> {
  readonly ticket: number;
  readonly question: Question;
  readonly listener: (answer: Answer) => void;
}

export class LatestWorker<Question extends object, Answer extends PartialAnswer> {
  private readonly start: () => Worker;
  private readonly pack: (question: Question, lastQuestion: Question | undefined) => object;
  private worker: Worker | undefined;
  private tickets = 0;
  /** Last question sent to the worker. */
  private lastQuestion: Question | undefined;
  private active: PendingQuestion<Question, Answer> | undefined;
  private next: PendingQuestion<Question, Answer> | undefined;

  /** `pack` may leave out data that the worker has from the last question. */
  constructor(
    start: () => Worker,
    pack: (question: Question, lastQuestion: Question | undefined) => object = (question) => question,
  ) {
    this.start = start;
    this.pack = pack;
  }

  /** Sends a question to the worker. Returns the function that cancels it. */
  ask(question: Question, listener: (answer: Answer) => void): () => void {
    this.tickets += 1;
    const ticket = this.tickets;
    this.next = { ticket, question, listener };
    if (!this.active) this.askNext();
    return () => {
      if (this.next?.ticket === ticket) this.next = undefined;
      if (this.active?.ticket === ticket) this.active = { ticket, question, listener: () => undefined };
    };
  }

  private askNext(): void {
    this.active = this.next;
    this.next = undefined;
    if (!this.active) return;
    const { question, ticket } = this.active;
    this.worker ??= this.startWorker();
    this.worker.postMessage({ ...this.pack(question, this.lastQuestion), ticket });
    this.lastQuestion = question;
  }

  private startWorker(): Worker {
    const created = this.start();
    created.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      const current = this.active;
      if (data.hasMore !== true) this.askNext();
      if (current?.ticket === data.ticket) current.listener(data);
    });
    // A broken worker does not get the same text again. The next question starts another worker.
    created.addEventListener('error', () => {
      created.terminate();
      this.worker = undefined;
      this.lastQuestion = undefined;
      this.askNext();
    });
    return created;
  }
}
