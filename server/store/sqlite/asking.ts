/**
 * Who answers what is asked of the records as a whole: a thread that reads beside, or this one where there are few records
 * or a full disk leaves no room for readers. Called by the store.
 */
import { facetNames } from '../../../core/fhir/facet.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { carryShortLog } from './carry-log.ts';
import { LogCarrier } from './log-carrier.ts';
import { answerOf, type Answered, type Asked, type QuestionName } from './questions.ts';
import { ReaderPool, type Asker, type ReaderOptions } from './reader-pool.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import type { Places } from './page-bodies.ts';
import type { Parts } from './sqlite-parts.ts';
import type { RecordStore, SearchPage } from '../store.ts';
import { inTurns } from './turns.ts';

export interface StoreReaders extends ReaderOptions {
  /** Records from which on a thread is asked. */
  readonly fewest?: number;
}

/** Fewer are searched in the time that a question and its answer travel. */
const fewestBeside = 5000;

/** Milliseconds after a start, and after rows were made anew, in which nothing is prepared: what is asked goes first. */
const rest = 2000;

/** What stands on the open database, and whether no reader can be opened beside. */
export interface Asking {
  readonly parts: Parts;
  readonly alone: boolean;
}

/** What the parts of a store stand on: what is open now, not to be held beyond one call. */
export interface StoreState {
  readonly parts: Parts;
  readonly questions: Pick<Questioner, 'ask' | 'changed'>;
}

export class Questioner {
  private readonly readers: ReaderPool;
  private readonly carrier: LogCarrier;
  private readonly fewest: number;
  private timer: NodeJS.Timeout | undefined;
  private readonly state: () => Asking;

  constructor(path: string, state: () => Asking, { fewest = fewestBeside, ...options }: StoreReaders = {}) {
    this.readers = new ReaderPool(path, options);
    this.carrier = new LogCarrier(path);
    this.state = state;
    this.fewest = fewest;
    this.prepareSoon();
  }

  /** The answer to a question; rejects as the pool's `ask` does. */
  async ask<Name extends QuestionName>(
    name: Name,
    asked: Asked<Name>,
    asker?: Asker,
  ): Promise<Answered<Name>> {
    const { parts } = this.state();
    const { backlog, writes } = parts;
    if (!this.isBeside || backlog.hindered((work) => writes.now(work))) {
      return this.here((from) => answerOf(name, from, asked));
    }
    return this.readers.ask(name, asked, asker);
  }

  /** A page of a search: by this thread where one term finds few. See the store's `search`. */
  async page(
    ...[criteria, limit, signal, lessOf = limit]: Parameters<RecordStore['search']>
  ): Promise<SearchPage> {
    const narrow = this.here(({ searches }) => searches.narrowPage(criteria, limit));
    if (narrow?.more && lessOf < limit) return this.page(criteria, lessOf, signal);
    if (narrow) return narrow;
    const places = await this.ask('places', { criteria, limit }, { type: criteria.type, signal });
    return this.pageAt(criteria, places, places.rows.length > limit ? lessOf : limit);
  }

  private async pageAt(criteria: SearchCriteria, places: Places, limit: number): Promise<SearchPage> {
    const { parts } = this.state();
    const page = parts.searches.bodies.page(criteria, places, limit);
    // Where another file came into the place of this one, it is read there.
    return (await inTurns(page, () => this.state().parts === parts)) ?? this.pageAt(criteria, places, limit);
  }

  /** What is found by this thread, once the index rows of all records are made. */
  here<Found>(read: (parts: Parts) => Found): Found {
    const { parts } = this.state();
    return parts.backlog.seenBy(
      () => read(parts),
      (work) => parts.writes.now(work),
    );
  }

  /** Carries over what the audit entries of reads have left in the log: while it holds pages, a read looks there first. */
  carry(): void {
    if (this.isBeside) this.carrier.carry();
    else carryShortLog(this.state().parts.database);
  }

  /** What was counted before holds no more: `issues` among it. */
  changed(issues: boolean): void {
    this.readers.changed(issues);
    this.prepareSoon();
  }

  /** Does work while no thread has the database open. */
  async without<Result>(work: () => Result): Promise<Awaited<Result>> {
    const resume = await Promise.all([this.readers.pause(), this.carrier.pause()]);
    try {
      return await work();
    } finally {
      for (const one of resume) one();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    await Promise.all([this.readers.close(), this.carrier.pause()]);
  }

  private prepareSoon(): void {
    clearTimeout(this.timer);
    // What comes to nothing is made with the first answer.
    this.timer = setTimeout(() => void this.prepare().catch(() => undefined), rest).unref();
  }

  /**
   * Has the threads make what first answers would wait for, a step at a time: whoever asks goes between. While index rows
   * wait it rests, as whoever writes goes first.
   */
  private async prepare(): Promise<void> {
    for (const type of resourceTypes) {
      for (const name of facetNames(type)) {
        for (let more = true; more && this.isBeside;) {
          if (!this.state().parts.backlog.settled) {
            this.prepareSoon();
            return;
          }
          more = await this.readers.ask('prepare', { type, name }, { type });
        }
      }
    }
  }

  private get isBeside(): boolean {
    const { alone, parts } = this.state();
    const records = Object.values(parts.counts.count()).reduce((sum, one) => sum + one, 0);
    return !alone && records >= this.fewest;
  }
}
