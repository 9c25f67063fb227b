/** A worker of which the latest question alone matters: one that waits is dropped for a newer one. */

/** By its number an answer belongs to a question. */
export interface Ticketed {
  readonly ticket: number;
}

interface Answered extends Ticketed {
  /** Whether another answer to the same question follows. */
  readonly more?: boolean;
}

interface Asked<Question, Answer> {
  readonly ticket: number;
  readonly question: Question;
  readonly listener: (answer: Answer) => void;
}

export class LatestWorker<Question extends object, Answer extends Answered> {
  private readonly start: () => Worker;
  private readonly pack: (question: Question, last: Question | undefined) => object;
  private worker: Worker | undefined;
  private tickets = 0;
  /** The question that the worker had last. */
  private last: Question | undefined;
  private asked: Asked<Question, Answer> | undefined;
  private next: Asked<Question, Answer> | undefined;

  /** `pack` may leave out what the worker knows by the `last` question. */
  constructor(
    start: () => Worker,
    pack: (question: Question, last: Question | undefined) => object = (question) => question,
  ) {
    this.start = start;
    this.pack = pack;
  }

  /** Asks off the page's thread. Returns how to lose interest. */
  ask(question: Question, listener: (answer: Answer) => void): () => void {
    this.tickets += 1;
    const ticket = this.tickets;
    this.next = { ticket, question, listener };
    if (!this.asked) this.askNext();
    return () => {
      if (this.next?.ticket === ticket) this.next = undefined;
      if (this.asked?.ticket === ticket) this.asked = { ticket, question, listener: () => undefined };
    };
  }

  private askNext(): void {
    this.asked = this.next;
    this.next = undefined;
    if (!this.asked) return;
    const { question, ticket } = this.asked;
    this.worker ??= this.startWorker();
    this.worker.postMessage({ ...this.pack(question, this.last), ticket });
    this.last = question;
  }

  private startWorker(): Worker {
    const started = this.start();
    started.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      const current = this.asked;
      if (data.more !== true) this.askNext();
      if (current?.ticket === data.ticket) current.listener(data);
    });
    // A worker that broke is not asked again with the same text; the next question starts another.
    started.addEventListener('error', () => {
      started.terminate();
      this.worker = undefined;
      this.last = undefined;
      this.askNext();
    });
    return started;
  }
}
