/**
 * Worker threads for queries over all records, so that the main thread stays free for requests. Called by the store.
 * Invariants: a result includes every write that was acknowledged before the query; no query waits forever.
 */
import { availableParallelism } from 'node:os';
import { resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import { ThreadError, threadFile, ThreadPool } from '../../threads/thread-pool.ts';
import { createCrowdedError, createDisconnectedError, tooLong } from '../search-faults.ts';
import type { QueryResult, QueryArguments, QueryName } from './reader-queries.ts';
import type { CacheGenerations, ReaderHandlers } from './reader-worker.ts';
import { SqliteError } from '../../sqlite/sqlite.ts';

export interface ReaderOptions {
  /** Maximum number of threads. */
  readonly threads?: number;
  /** Maximum number of waiting queries. */
  readonly maxWaiting?: number;
  /** Maximum time of a query in milliseconds, waiting included. */
  readonly timeoutMs?: number;
  readonly program?: string;
}

export interface QueryRunner {
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
