/**
 * Who answers what is asked of the records as a whole: a thread that reads beside, or this one where there are few records
 * or a full disk leaves no room for readers. Called by the store.
 */
import { answerOf, type Answered, type Asked, type QuestionName } from './questions.ts';
import { ReaderPool, type Asker, type ReaderOptions } from './reader-pool.ts';
import type { Parts } from './sqlite-parts.ts';

export interface StoreReaders extends ReaderOptions {
  /** Records from which on a thread is asked. */
  readonly fewest?: number;
}

/** Fewer are searched in the time that a question and its answer travel. */
const fewestBeside = 5000;

/** What stands on the open database, and whether no reader can be opened beside. */
export interface Asking {
  readonly parts: Parts;
  readonly alone: boolean;
}

export class Questioner {
  readonly readers: ReaderPool;
  private readonly fewest: number;
  private readonly state: () => Asking;

  constructor(path: string, state: () => Asking, { fewest = fewestBeside, ...options }: StoreReaders = {}) {
    this.readers = new ReaderPool(path, options);
    this.state = state;
    this.fewest = fewest;
  }

  /** Rejects as the pool's `ask` does. */
  async ask<Name extends QuestionName>(
    name: Name,
    asked: Asked<Name>,
    asker?: Asker,
  ): Promise<Answered<Name>> {
    const { parts, alone } = this.state();
    const { backlog, writes } = parts;
    if (alone || this.isSmall(parts) || backlog.hindered((work) => writes.now(work))) {
      return this.here((from) => answerOf(name, from, asked));
    }
    return this.readers.ask(name, asked, asker);
  }

  /** What is found by this thread, once the index rows of all records are made. */
  here<Found>(read: (parts: Parts) => Found): Found {
    const { parts } = this.state();
    return parts.backlog.seenBy(
      () => read(parts),
      (work) => parts.writes.now(work),
    );
  }

  private isSmall({ counts }: Parts): boolean {
    return Object.values(counts.count()).reduce((sum, one) => sum + one, 0) < this.fewest;
  }
}
