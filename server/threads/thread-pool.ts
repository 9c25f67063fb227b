/**
 * Worker threads that answer requests. Called by every module with work for another thread. Invariant: every request
 * settles, also if its thread ends.
 */
import { basename, extname, resolve } from 'node:path';
import { WorkerThread, type PendingRequest, type ThreadOptions } from './worker-thread.ts';

/** Returns the path of a thread's entry file next to the module of this `meta`: source or built file. */
export function threadFile({ dirname, filename }: ImportMeta, name: string): string {
  return resolve(dirname, name + extname(filename));
}

const sentences = {
  ended: 'ended',
  'out-of-memory': 'ran out of memory',
  stopped: 'was stopped',
  late: 'took too long',
  crowded: 'has too many requests',
  closed: 'is closed',
};

/** A request has no result. The `cause` is the error that ended the thread, if there was one. */
export class ThreadError extends Error {
  override readonly name = 'ThreadError';
  readonly thread: string;
  readonly reason: keyof typeof sentences;

  constructor(thread: string, reason: keyof typeof sentences, cause?: unknown) {
    super(`The thread ${thread} ${sentences[reason]}.`, { cause });
    this.thread = thread;
    this.reason = reason;
  }
}

export interface ThreadPoolOptions extends ThreadOptions {
  /** Maximum number of threads. One starts when a request finds no free one. Default: 1. */
  readonly threads?: number;
  /** Maximum number of waiting requests. Default: no limit. */
  readonly maxWaiting?: number;
  /** Maximum time of a request in milliseconds, waiting included. Its thread is terminated. Default: no limit. */
  readonly timeoutMs?: number;
  /** Number of times that a request is repeated because its thread ended. Default: 0. */
  readonly repeats?: number;
}

export interface RequestOptions {
  /** Rejects the request with its reason. A running one is not interrupted: see `isRequestAborted`. */
  readonly signal?: AbortSignal | undefined;
  /** Number from 0 of the thread that answers. Default: any. */
  readonly thread?: number | undefined;
}

type HandlerOf<Handlers, Name extends keyof Handlers> = Extract<
  Handlers[Name],
  (...parameters: never[]) => unknown
>;

interface PoolRequest extends PendingRequest {
  readonly threadNumber: number | undefined;
  /** Undefined until it is sent. */
  thread: WorkerThread | undefined;
  /** Number of threads that ended during the request. */
  deaths: number;
  isSettled: boolean;
}

/** IDs fit an element of shared memory. */
const maxId = 2 ** 31 - 1;

/** @typeParam Handlers - Type of the handlers that the entry file gives to `serveRequests`. */
export class ThreadPool<Handlers extends object> {
  private readonly file: string;
  private readonly name: string;
  private readonly options: ThreadPoolOptions;
  private readonly waitingRequests: PoolRequest[] = [];
  /** Threads that accept requests, by number. */
  private readonly threads = new Map<number, WorkerThread>();
  private readonly exits = new Set<Promise<void>>();
  private lastId = 0;
  private pauseCount = 0;
  private isClosed = false;

  /** @param file - Entry file of a thread: see `threadFile`. */
  constructor(file: string, options: ThreadPoolOptions = {}) {
    this.file = file;
    this.name = basename(file, extname(file));
    this.options = options;
  }

  /**
   * Sends a request to a thread. Rejects with the error of the handler, the reason of the signal, or ThreadError.
   *
   * @param parameters - Parameters of the handler. A function returns them when the request is sent.
   */
  ask<Name extends keyof Handlers & string>(
    name: Name,
    parameters: Parameters<HandlerOf<Handlers, Name>> | (() => Parameters<HandlerOf<Handlers, Name>>),
    { signal, thread: threadNumber }: RequestOptions = {},
  ): Promise<Awaited<ReturnType<HandlerOf<Handlers, Name>>>> {
    return new Promise((resolve, reject) => {
      const { timeoutMs, maxWaiting = Infinity, repeats = 0 } = this.options;
      signal?.throwIfAborted();
      if (this.isClosed) throw this.createError('closed');
      const onAbort = () => this.drop(request, signal?.reason);
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => this.expire(request), timeoutMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      const settle = () => {
        request.isSettled = true;
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      this.lastId = (this.lastId % maxId) + 1;
      const request: PoolRequest = {
        id: this.lastId,
        name,
        parameters,
        threadNumber,
        thread: undefined,
        deaths: 0,
        isSettled: false,
        resolve: (result) => {
          settle();
          resolve(result as Awaited<ReturnType<HandlerOf<Handlers, Name>>>);
        },
        reject: (reason) => {
          settle();
          // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- The error of a thread is passed on unchanged.
          reject(reason);
        },
        onThreadEnd: (reason, cause) => {
          if (request.isSettled) return;
          request.deaths += 1;
          if (reason === 'ended' && request.deaths <= repeats && !this.isClosed)
            this.waitingRequests.unshift(request);
          else request.reject(this.createError(reason, cause));
        },
      };
      this.waitingRequests.push(request);
      this.sendWaiting();
      if (this.waitingRequests.length > maxWaiting && this.waitingRequests.at(-1) === request)
        this.drop(request, this.createError('crowded'));
    });
  }

  /** Starts a thread ahead of the first request. Returns true once it has loaded its program. */
  start(): boolean {
    if (this.pauseCount === 0 && !this.threads.has(0)) this.startThread(0);
    return this.threads.get(0)?.isReady === true;
  }

  /** Returns true if a thread accepts requests. */
  get isRunning(): boolean {
    return this.threads.size > 0;
  }

  /** Returns the processor time of the first thread. Rejects if it is not running. */
  async cpuUsage(): Promise<NodeJS.CpuUsage> {
    const thread = this.threads.get(0);
    if (!thread) throw this.createError('ended');
    return thread.cpuUsage();
  }

  /** Ends the threads after their requests. The next request starts another one. */
  async drain(): Promise<void> {
    for (const thread of this.threads.values()) thread.end();
    await Promise.all(this.exits);
  }

  /** Drains the threads. Requests wait until the returned function is called. */
  async pause(): Promise<() => void> {
    this.pauseCount += 1;
    await this.drain();
    return () => {
      this.pauseCount -= 1;
      this.sendWaiting();
    };
  }

  /** Rejects waiting and later requests, and drains the threads. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.rejectWaiting('closed');
    await this.drain();
  }

  /** Rejects all requests and terminates the threads. The next request starts another one. */
  async terminate(): Promise<void> {
    this.rejectWaiting('stopped');
    for (const thread of this.threads.values()) thread.stop();
    await Promise.all(this.exits);
  }

  private createError(reason: ThreadError['reason'], cause?: unknown): ThreadError {
    return new ThreadError(this.name, reason, cause);
  }

  private rejectWaiting(reason: ThreadError['reason']): void {
    for (const { reject } of this.waitingRequests.splice(0)) reject(this.createError(reason));
  }

  /** Sends each waiting request that a thread can accept. */
  private sendWaiting(): void {
    if (this.pauseCount > 0) return;
    for (const request of [...this.waitingRequests]) {
      try {
        const thread = this.freeThread(request.threadNumber);
        // A request that can't be sent frees the thread, so that a nested call sends the next ones.
        if (!thread || !this.removeWaiting(request)) continue;
        request.thread = thread;
        thread.send(request);
      } catch (error) {
        // No thread can start.
        this.drop(request, this.createError('ended', error));
      }
    }
  }

  /** Returns a thread that can accept a request, and starts one if necessary and allowed. */
  private freeThread(threadNumber: number | undefined): WorkerThread | undefined {
    const { threads = 1, requestsPerThread = 1 } = this.options;
    const isFree = ({ requests }: WorkerThread) => requests.size < requestsPerThread;
    if (threadNumber !== undefined) {
      const thread = this.threads.get(threadNumber) ?? this.startThread(threadNumber);
      return isFree(thread) ? thread : undefined;
    }
    const freeThread = [...this.threads.values()].find(isFree);
    if (freeThread || this.threads.size >= threads) return freeThread;
    let number = 0;
    while (this.threads.has(number)) number += 1;
    return this.startThread(number);
  }

  private startThread(number: number): WorkerThread {
    const thread = new WorkerThread(this.file, this.name, this.options, {
      onEnd: () => {
        if (this.threads.get(number) === thread) this.threads.delete(number);
      },
      onFree: () => this.sendWaiting(),
    });
    this.threads.set(number, thread);
    this.exits.add(thread.exit);
    void thread.exit.then(() => this.exits.delete(thread.exit));
    return thread;
  }

  private expire(request: PoolRequest): void {
    this.drop(request, this.createError('late'));
    request.thread?.stop();
  }

  private drop(request: PoolRequest, reason: unknown): void {
    if (!this.removeWaiting(request)) request.thread?.abort(request);
    request.reject(reason);
  }

  private removeWaiting(request: PoolRequest): boolean {
    const index = this.waitingRequests.indexOf(request);
    if (index >= 0) this.waitingRequests.splice(index, 1);
    return index >= 0;
  }
}
