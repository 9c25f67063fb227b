/**
 * Threads that answer what is asked of the records as a whole, so that the one that answers requests is free for others.
 * Called by the store. Invariant: an answer has seen every write that was acknowledged before it was asked for; no
 * question waits for ever.
 */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { FhirError } from '../../../core/fhir/outcome.ts';
import { resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import { crowded, gone, tooLong } from '../search-faults.ts';
import { threadFile } from '../thread-file.ts';
import type { Answered, Asked, QuestionName } from './questions.ts';
import { tell, type Reply } from '../thread-reply.ts';
import type { Editions, ReaderGiven, ToReader } from './reader-thread.ts';
import { carriedError, type CarriedError } from './sqlite.ts';

export interface ReaderOptions {
  /** Threads at most. */
  readonly threads?: number;
  /** Questions that wait at most. */
  readonly waiting?: number;
  /** Milliseconds that a question may wait and be worked on. */
  readonly patience?: number;
  /** The program of a thread. */
  readonly program?: string;
}

/** Who asks. */
export interface Asker {
  /** Questions about a type go to the same thread, which keeps what it found. */
  readonly type?: ResourceType | undefined;
  /** Aborted where nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
}

interface Job {
  readonly name: QuestionName;
  readonly asked: unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** Threads that ended over it. */
  deaths: number;
}

interface Reader {
  worker: Worker | undefined;
  job: Job | undefined;
  readonly waiting: Job[];
  /** Not 0 where nobody waits for the answer that the thread works on. */
  readonly givenUp: Int32Array;
}

/** Threads that may end over a question before it is given up. */
const mostDeaths = 2;

const ordinary: Required<ReaderOptions> = {
  threads: Math.min(2, availableParallelism()) + 1,
  waiting: 100,
  patience: 30_000,
  program: threadFile(import.meta, 'reader-thread'),
};

export class ReaderPool {
  private readonly path: string;
  private readonly given: Required<ReaderOptions>;
  private readonly readers: readonly Reader[];
  private editions: Editions = { rows: 0, issues: 0 };
  private readonly ending = new Set<Promise<unknown>>();
  private pauses = 0;
  private closed = false;

  constructor(path: string, options: ReaderOptions = {}) {
    this.path = path;
    this.given = { ...ordinary, ...options };
    this.readers = Array.from({ length: this.given.threads }, newReader);
  }

  /**
   * @throws FhirError `crowded` where too many wait, and `unanswered` where it takes too long or nobody waits for it; what
   * the answering throws.
   */
  ask<Name extends QuestionName>(
    name: Name,
    asked: Asked<Name>,
    { type, signal }: Asker = {},
  ): Promise<Answered<Name>> {
    const reader = this.readerFor(type);
    if (!reader || this.closed) throw new Error('The threads end.');
    if (this.readers.reduce((sum, { waiting }) => sum + waiting.length, 0) >= this.given.waiting)
      throw crowded();
    if (signal?.aborted) throw gone();
    return new Promise<Answered<Name>>((resolve, reject) => {
      const { patience } = this.given;
      const leave = () => this.giveUp(reader, job, gone(), false);
      const timer = setTimeout(() => this.giveUp(reader, job, tooLong(patience), true), patience);
      const settled = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
      };
      const job: Job = {
        ...{ name, asked, deaths: 0 },
        resolve: (result) => {
          settled();
          resolve(result as Answered<Name>);
        },
        reject: (reason) => {
          settled();
          // What a thread threw is thrown on.
          // oxlint-disable-next-line typescript/prefer-promise-reject-errors
          reject(reason);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      reader.waiting.push(job);
      this.goOn(reader);
    });
  }

  /** What was counted before holds no more: `issues` among it. */
  changed(issues: boolean): void {
    const { rows, issues: former } = this.editions;
    this.editions = { rows: rows + 1, issues: former + (issues ? 1 : 0) };
  }

  /**
   * Resolves once no thread has the database open; answers the function that lets them open it again. What is asked
   * meanwhile waits.
   */
  async pause(): Promise<() => void> {
    this.pauses += 1;
    await Promise.all([...this.readers.map((reader) => closed(reader)), ...this.ending]);
    return () => {
      this.pauses -= 1;
      for (const reader of this.readers) this.goOn(reader);
    };
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const { waiting } of this.readers)
      for (const { reject } of waiting.splice(0)) reject(new Error('The threads end.'));
    await this.pause();
  }

  private readerFor(type: ResourceType | undefined): Reader | undefined {
    // The last has what is asked of the whole store, which takes long: no search waits behind it.
    const ofTypes = Math.max(1, this.readers.length - 1);
    return this.readers.at(type === undefined ? -1 : resourceTypes.indexOf(type) % ofTypes);
  }

  private goOn(reader: Reader): void {
    if (this.pauses > 0 || reader.job) return;
    const job = reader.waiting.shift();
    if (!job) return;
    reader.job = job;
    Atomics.store(reader.givenUp, 0, 0);
    reader.worker ??= this.start(reader);
    // While it works the process waits for it.
    reader.worker.ref();
    const { name, asked } = job;
    send(reader.worker, { name, asked, editions: this.editions });
  }

  private start(reader: Reader): Worker {
    const given: ReaderGiven = { path: this.path, givenUp: reader.givenUp };
    const worker = new Worker(this.given.program, { workerData: given });
    worker.on('message', (reply: Reply) => {
      if (reader.worker !== worker) return;
      const { job } = reader;
      reader.job = undefined;
      // pause() waits for the thread's exit, and may be all that the process still does.
      if (this.pauses === 0) worker.unref();
      if (job) tell(reply, job, (failed) => carriedError(failed as CarriedError));
      this.goOn(reader);
    });
    worker.once('error', (fault) => this.lost(reader, worker, fault));
    worker.once('exit', () => this.lost(reader, worker, new Error('A thread ended.')));
    return worker;
  }

  /** A thread has ended: another one takes up what it worked on, once. */
  private lost(reader: Reader, worker: Worker, fault: unknown): void {
    if (reader.worker !== worker) return;
    reader.worker = undefined;
    const { job } = reader;
    reader.job = undefined;
    if (job) {
      job.deaths += 1;
      if (job.deaths < mostDeaths) reader.waiting.unshift(job);
      else job.reject(fault);
    }
    this.goOn(reader);
  }

  /** A question that waits is dropped; a thread that works on it for too long is ended. */
  private giveUp(reader: Reader, job: Job, reason: FhirError, end: boolean): void {
    job.reject(reason);
    const place = reader.waiting.indexOf(job);
    if (place >= 0) reader.waiting.splice(place, 1);
    else if (reader.job === job) {
      Atomics.store(reader.givenUp, 0, 1);
      if (end) this.replace(reader);
    }
  }

  /** SQLite is not interrupted: the thread ends behind its statement, and another one goes on at once. */
  private replace(reader: Reader): void {
    const ending = reader.worker?.terminate();
    if (ending) this.ending.add(ending);
    void ending?.finally(() => this.ending.delete(ending));
    Object.assign(reader, newReader(), { waiting: reader.waiting });
    this.goOn(reader);
  }
}

function newReader(): Reader {
  const givenUp = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  return { worker: undefined, job: undefined, waiting: [], givenUp };
}

function send(worker: Worker, message: ToReader): void {
  worker.postMessage(message);
}

/** Has a thread close the database behind what it works on, and waits for its end. */
async function closed({ worker }: Reader): Promise<void> {
  if (!worker) return;
  worker.ref();
  const end = once(worker, 'exit');
  send(worker, { close: true });
  // That of a thread that fails is told to who asked.
  await end.catch(() => undefined);
}
