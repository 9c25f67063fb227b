/**
 * Sends queries over all records to a reader thread. Runs them in this thread if there are few records or if a full
 * disk has no space for readers. Called by the store.
 */
import { facetNames } from '../../../core/fhir/facet.ts';
import { resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import { checkpointSmallWal } from './wal-checkpoint.ts';
import { ThreadError, threadFile, ThreadPool } from '../../threads/thread-pool.ts';
import type { CheckpointHandlers } from './checkpoint-worker.ts';
import { runQuery, type QueryResult, type QueryArguments, type QueryName } from './reader-queries.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import type { Places } from './page-bodies.ts';
import type { ConnectionParts } from './sqlite-parts.ts';
import type { RecordStore, SearchPage } from '../store.ts';
import { runInSlices } from './cooperative-steps.ts';
import { availableParallelism } from 'node:os';
import { createCrowdedError, createDisconnectedError, tooLong } from '../search-faults.ts';
import type { CacheGenerations, ReaderHandlers } from './reader-worker.ts';
import { SqliteError } from '../../sqlite/sqlite.ts';

export interface StoreReaders extends ReaderOptions {
  /** Number of records from which a reader thread is used. */
  readonly minRecords?: number;
}

/** A search of fewer records takes less time than a message to a thread. */
const minThreadRecords = 5000;

/** Delay in milliseconds after a start or a rebuild before caches are prepared. Queries go first. */
const prepareDelayMs = 2000;

/** Objects of the open database, and whether no reader can be opened. */
export interface ReaderState {
  readonly parts: ConnectionParts;
  readonly isExclusive: boolean;
}

/** Current objects of a store. Do not store a reference to them. */
export interface StoreState {
  readonly parts: ConnectionParts;
  readonly readerClient: Pick<ReaderClient, 'query' | 'onRowsChanged'>;
}

const checkpointFile = threadFile(import.meta, 'checkpoint-worker');

export class ReaderClient {
  private readonly readers: ReaderPool;
  /** Its syncs block no request. */
  private readonly checkpointer: ThreadPool<CheckpointHandlers>;
  private readonly minRecords: number;
  private timer: NodeJS.Timeout | undefined;
  private readonly state: () => ReaderState;

  constructor(
    path: string,
    state: () => ReaderState,
    { minRecords = minThreadRecords, ...options }: StoreReaders = {},
  ) {
    this.readers = new ReaderPool(path, options);
    // A checkpoint is skipped while one is running.
    this.checkpointer = new ThreadPool(checkpointFile, { data: path, maxWaiting: 0 });
    this.state = state;
    this.minRecords = minRecords;
    this.prepareSoon();
  }

  /** Runs a query. Rejects as the pool's `ask` does. */
  async query<Name extends QueryName>(
    name: Name,
    queryArguments: QueryArguments<Name>,
    options?: QueryRunner,
  ): Promise<QueryResult<Name>> {
    const { parts } = this.state();
    const { backlog, writes } = parts;
    if (!this.usesThreads || backlog.tryFlush((work) => writes.now(work))) {
      return this.runOnMainThread((from) => runQuery(name, from, queryArguments));
    }
    return this.readers.ask(name, queryArguments, options);
  }

  /** Returns a page of a search. Runs a selective search in this thread. See `search` of the store. */
  async page(
    ...[criteria, limit, signal, reducedLimit = limit]: Parameters<RecordStore['search']>
  ): Promise<SearchPage> {
    const selectivePage = this.runOnMainThread(({ searches }) => searches.narrowPage(criteria, limit));
    if (selectivePage?.hasMore && reducedLimit < limit) return this.page(criteria, reducedLimit, signal);
    if (selectivePage) return selectivePage;
    const places = await this.query('places', { criteria, limit }, { type: criteria.type, signal });
    return this.pageAt(criteria, places, places.rows.length > limit ? reducedLimit : limit);
  }

  private async pageAt(criteria: SearchCriteria, places: Places, limit: number): Promise<SearchPage> {
    const { parts } = this.state();
    const page = parts.searches.bodies.page(criteria, places, limit);
    // If a restore replaced the file, reads the page from the new one.
    return (
      (await runInSlices(page, () => this.state().parts === parts)) ?? this.pageAt(criteria, places, limit)
    );
  }

  /** Runs a read in this thread after all index rows were created. */
  runOnMainThread<Result>(readParts: (parts: ConnectionParts) => Result): Result {
    const { parts } = this.state();
    return parts.backlog.runIndexed(
      () => readParts(parts),
      (work) => parts.writes.now(work),
    );
  }

  /** Checkpoints the audit entries of reads, because every read searches the WAL first. */
  checkpointReads(): void {
    if (!this.usesThreads) checkpointSmallWal(this.state().parts.database);
    else
      this.checkpointer.ask('checkpoint', []).catch((error: unknown) => {
        // A failed checkpoint is harmless: the pages stay in the WAL. The next one opens the database again.
        if (!(error instanceof ThreadError)) void this.checkpointer.drain();
      });
  }

  /** Discards cached counts. `issues` is true if the counts of findings changed too. */
  onRowsChanged(issues: boolean): void {
    this.readers.onRowsChanged(issues);
    this.prepareSoon();
  }

  /** Runs work while no thread has the database open. */
  async runWithoutReaders<Result>(work: () => Result): Promise<Awaited<Result>> {
    const resumeFunctions = await Promise.all([this.readers.pause(), this.checkpointer.pause()]);
    try {
      return await work();
    } finally {
      for (const resumeOne of resumeFunctions) resumeOne();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    await Promise.all([this.readers.close(), this.checkpointer.close()]);
  }

  private prepareSoon(): void {
    clearTimeout(this.timer);
    // A failed preparation is repeated with the first query.
    this.timer = setTimeout(() => void this.prepare().catch(() => undefined), prepareDelayMs).unref();
  }

  /**
   * Prepares the caches of facets in small steps, so that queries can run in between. Pauses while index rows are
   * pending, because writes go first.
   */
  private async prepare(): Promise<void> {
    for (const type of resourceTypes) {
      for (const name of facetNames(type)) {
        for (let hasMore = true; hasMore && this.usesThreads;) {
          if (!this.state().parts.backlog.isEmpty) {
            this.prepareSoon();
            return;
          }
          hasMore = await this.readers.ask('prepare', { type, name }, { type });
        }
      }
    }
  }

  private get usesThreads(): boolean {
    const { isExclusive, parts } = this.state();
    const records = Object.values(parts.counts.count()).reduce((sum, count) => sum + count, 0);
    return !isExclusive && records >= this.minRecords;
  }
}

// Worker threads for queries over all records, so that the main thread stays free for requests. Called by the store.
// Invariants: a result includes every write that was acknowledged before the query; no query waits forever.

export interface ReaderOptions {
  /** Maximum number of threads. */
  readonly threads?: number;
  /** Maximum number of waiting queries. */
  readonly maxWaiting?: number;
  /** Maximum time of a query in milliseconds, waiting included. */
  readonly timeoutMs?: number;
  readonly program?: string;
}

interface QueryRunner {
  /** Queries about a type go to the same thread, which caches their results. */
  readonly type?: ResourceType | undefined;
  /** Aborted once no client waits for the result. */
  readonly signal?: AbortSignal | undefined;
}

const defaultOptions: Required<ReaderOptions> = {
  threads: Math.min(2, availableParallelism()) + 1,
  maxWaiting: 100,
  timeoutMs: 30_000,
  program: threadFile(import.meta, 'reader-worker'),
};

export class ReaderPool {
  private readonly options: Required<ReaderOptions>;
  private readonly threads: ThreadPool<ReaderHandlers>;
  private generations: CacheGenerations = { rows: 0, issues: 0 };

  constructor(path: string, options: ReaderOptions = {}) {
    this.options = { ...defaultOptions, ...options };
    const { program, ...limits } = this.options;
    this.threads = new ThreadPool(program, {
      ...limits,
      data: path,
      repeats: 1,
      errorClasses: { SqliteError },
    });
  }

  /**
   * Sends a query to a thread.
   *
   * @throws FhirError `crowded` if too many queries wait, `unanswered` after a timeout or an abort, and errors of the
   * query.
   */
  async ask<Name extends QueryName>(
    name: Name,
    queryArguments: QueryArguments<Name>,
    { type, signal }: QueryRunner = {},
  ): Promise<QueryResult<Name>> {
    try {
      const result = await this.threads.ask('query', () => [name, queryArguments, this.generations], {
        thread: this.threadOf(type),
        signal,
      });
      return result as QueryResult<Name>;
    } catch (error) {
      if (signal?.aborted) throw createDisconnectedError();
      if (error instanceof ThreadError && error.reason === 'crowded') throw createCrowdedError();
      if (error instanceof ThreadError && error.reason === 'late') throw tooLong(this.options.timeoutMs);
      throw error;
    }
  }

  /** Invalidates cached counts. `issues` is true if the counts of findings changed too. */
  onRowsChanged(issues: boolean): void {
    const { rows, issues: previousIssues } = this.generations;
    this.generations = { rows: rows + 1, issues: previousIssues + (issues ? 1 : 0) };
  }

  /**
   * Resolves once no thread has the database open. Returns the function that resumes. Queries wait during the pause.
   */
  pause(): Promise<() => void> {
    return this.threads.pause();
  }

  /** Rejects waiting and later queries. Resolves once no thread has the database open. */
  close(): Promise<void> {
    return this.threads.close();
  }

  private threadOf(type: ResourceType | undefined): number {
    const { threads } = this.options;
    // The last thread runs queries over the full store, which take long. No search waits for them.
    return type === undefined ? threads - 1 : resourceTypes.indexOf(type) % Math.max(1, threads - 1);
  }
}
