/**
 * Worker threads for queries over all records, so that the main thread stays free for requests. Called by the store.
 * Invariants: a result includes every write that was acknowledged before the query; no query waits forever.
 */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { FhirError } from '../../../core/fhir/outcome.ts';
import { resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import { createCrowdedError, createDisconnectedError, tooLong } from '../search-faults.ts';
import { threadFile } from '../thread-file.ts';
import type { QueryResult, QueryArguments, QueryName } from './reader-queries.ts';
import { tell, type Reply } from '../thread-reply.ts';
import type { CacheGenerations, ReaderWorkerOptions, ToReader } from './reader-worker.ts';
import { deserializeError, type SerializedError } from '../../sqlite/sqlite.ts';

export interface ReaderOptions {
  /** Maximum number of threads. */
  readonly threads?: number;
  /** Maximum number of waiting queries. */
  readonly maxWaiting?: number;
  /** Maximum time of a query in milliseconds, waiting included. */
  readonly timeoutMs?: number;
  /** The program of a thread. */
  readonly program?: string;
}

/** Options of one query. */
export interface QueryRunner {
  /** Queries about a type go to the same thread, which caches their results. */
  readonly type?: ResourceType | undefined;
  /** Aborted once no client waits for the result. */
  readonly signal?: AbortSignal | undefined;
}

interface Job {
  readonly name: QueryName;
  readonly queryArguments: unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** Number of threads that ended during this query. */
  deaths: number;
}

interface Reader {
  worker: Worker | undefined;
  job: Job | undefined;
  readonly pendingJobs: Job[];
  /** Not 0 if no client waits for the running query. */
  readonly abortFlag: Int32Array;
}

/** Number of threads that may end during a query before it is rejected. */
const maxDeaths = 2;

const defaultOptions: Required<ReaderOptions> = {
  threads: Math.min(2, availableParallelism()) + 1,
  maxWaiting: 100,
  timeoutMs: 30_000,
  program: threadFile(import.meta, 'reader-worker'),
};

export class ReaderPool {
  private readonly path: string;
  private readonly options: Required<ReaderOptions>;
  private readonly readers: readonly Reader[];
  private editions: CacheGenerations = { rows: 0, issues: 0 };
  private readonly ending = new Set<Promise<unknown>>();
  private pauses = 0;
  private closed = false;

  constructor(path: string, options: ReaderOptions = {}) {
    this.path = path;
    this.options = { ...defaultOptions, ...options };
    this.readers = Array.from({ length: this.options.threads }, newReader);
  }

  /**
   * Sends a query to a thread.
   *
   * @throws FhirError `crowded` if too many queries wait, `unanswered` after a timeout or an abort, and errors of the
   * query.
   */
  ask<Name extends QueryName>(
    name: Name,
    queryArguments: QueryArguments<Name>,
    { type, signal }: QueryRunner = {},
  ): Promise<QueryResult<Name>> {
    const reader = this.readerFor(type);
    if (!reader || this.closed) throw new Error('The threads end.');
    if (this.readers.reduce((sum, { pendingJobs }) => sum + pendingJobs.length, 0) >= this.options.maxWaiting)
      throw createCrowdedError();
    if (signal?.aborted) throw createDisconnectedError();
    return new Promise<QueryResult<Name>>((resolve, reject) => {
      const { timeoutMs } = this.options;
      const onAbort = () => this.giveUp(reader, job, createDisconnectedError(), false);
      const timer = setTimeout(() => this.giveUp(reader, job, tooLong(timeoutMs), true), timeoutMs);
      const cleanUp = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const job: Job = {
        name,
        queryArguments,
        deaths: 0,
        resolve: (result) => {
          cleanUp();
          resolve(result as QueryResult<Name>);
        },
        reject: (reason) => {
          cleanUp();
          // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- The error of a thread is passed on unchanged.
          reject(reason);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      reader.pendingJobs.push(job);
      this.runNextJob(reader);
    });
  }

  /** Invalidates cached counts. `issues` is true if the counts of findings changed too. */
  onRowsChanged(issues: boolean): void {
    const { rows, issues: previousIssues } = this.editions;
    this.editions = { rows: rows + 1, issues: previousIssues + (issues ? 1 : 0) };
  }

  /**
   * Resolves once no thread has the database open. Returns the function that resumes. Queries wait during the pause.
   */
  async pause(): Promise<() => void> {
    this.pauses += 1;
    await Promise.all([...this.readers.map((reader) => closeReader(reader)), ...this.ending]);
    return () => {
      this.pauses -= 1;
      for (const reader of this.readers) this.runNextJob(reader);
    };
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const { pendingJobs } of this.readers)
      for (const { reject } of pendingJobs.splice(0)) reject(new Error('The threads end.'));
    await this.pause();
  }

  private readerFor(type: ResourceType | undefined): Reader | undefined {
    // The last thread runs queries over the full store, which take long. No search waits for them.
    const ofTypes = Math.max(1, this.readers.length - 1);
    return this.readers.at(type === undefined ? -1 : resourceTypes.indexOf(type) % ofTypes);
  }

  private runNextJob(reader: Reader): void {
    if (this.pauses > 0 || reader.job) return;
    const job = reader.pendingJobs.shift();
    if (!job) return;
    reader.job = job;
    Atomics.store(reader.abortFlag, 0, 0);
    reader.worker ??= this.start(reader);
    // The process stays alive while the thread is busy.
    reader.worker.ref();
    const { name, queryArguments } = job;
    send(reader.worker, { name, queryArguments, editions: this.editions });
  }

  private start(reader: Reader): Worker {
    const workerOptions: ReaderWorkerOptions = { path: this.path, abortFlag: reader.abortFlag };
    const worker = new Worker(this.options.program, { workerData: workerOptions });
    worker.on('message', (reply: Reply) => {
      if (reader.worker !== worker) return;
      const { job } = reader;
      reader.job = undefined;
      // pause() waits for the exit of the thread, maybe as the last work of the process.
      if (this.pauses === 0) worker.unref();
      if (job) tell(reply, job, (error) => deserializeError(error as SerializedError));
      this.runNextJob(reader);
    });
    worker.once('error', (fault) => this.onThreadEnded(reader, worker, fault));
    worker.once('exit', () => this.onThreadEnded(reader, worker, new Error('A thread ended.')));
    return worker;
  }

  /** Handles a thread that ended. Its query is repeated once in another thread. */
  private onThreadEnded(reader: Reader, worker: Worker, fault: unknown): void {
    if (reader.worker !== worker) return;
    reader.worker = undefined;
    const { job } = reader;
    reader.job = undefined;
    if (job) {
      job.deaths += 1;
      if (job.deaths < maxDeaths) reader.pendingJobs.unshift(job);
      else job.reject(fault);
    }
    this.runNextJob(reader);
  }

  /** Drops a waiting query, or ends the thread of a running one. */
  private giveUp(reader: Reader, job: Job, reason: FhirError, end: boolean): void {
    job.reject(reason);
    const index = reader.pendingJobs.indexOf(job);
    if (index >= 0) reader.pendingJobs.splice(index, 1);
    else if (reader.job === job) {
      Atomics.store(reader.abortFlag, 0, 1);
      if (end) this.replace(reader);
    }
  }

  /** SQLite can't be interrupted. The thread ends after its statement, and a new one starts at once. */
  private replace(reader: Reader): void {
    const ending = reader.worker?.terminate();
    if (ending) this.ending.add(ending);
    void ending?.finally(() => this.ending.delete(ending));
    const freshReader: Reader = { ...newReader(), pendingJobs: reader.pendingJobs };
    Object.assign(reader, freshReader);
    this.runNextJob(reader);
  }
}

function newReader(): Reader {
  const abortFlag = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  return { worker: undefined, job: undefined, pendingJobs: [], abortFlag };
}

function send(worker: Worker, message: ToReader): void {
  worker.postMessage(message);
}

/** Closes the database of a thread after its query, and waits for its exit. */
async function closeReader({ worker }: Reader): Promise<void> {
  if (!worker) return;
  worker.ref();
  const end = once(worker, 'exit');
  send(worker, { close: true });
  // The caller of the query receives the error of a failed thread.
  await end.catch(() => undefined);
}
