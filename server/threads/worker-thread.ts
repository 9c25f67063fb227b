import { Worker } from 'node:worker_threads';
import {
  deserializeError,
  serializeError,
  type ErrorClasses,
  type FromThread,
  type ThreadData,
  type ToThread,
} from './messages.ts';

export interface PendingRequest {
  readonly id: number;
  readonly name: string;
  readonly parameters: readonly unknown[] | (() => readonly unknown[]);
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** Called if the thread ends before its reply. The `cause` is the error that ended it, if there was one. */
  readonly onThreadEnd: (reason: EndReason, cause: unknown) => void;
}

export type EndReason = 'ended' | 'out-of-memory' | 'stopped';

/** Options of each thread of a pool. */
export interface ThreadOptions {
  /** Maximum heap of a thread in megabytes. */
  readonly heap?: number;
  /** Milliseconds without a request after which a thread ends. Default: never. */
  readonly idleMs?: number;
  /** Data of each thread: see `getThreadData`. */
  readonly data?: unknown;
  /** Classes of errors that handlers throw, besides FhirError. */
  readonly errorClasses?: ErrorClasses;
  /**
   * Maximum number of requests that a thread has at a time. With 1, further ones wait here, where an abort removes
   * them. With more, the requests of one turn of the event loop share a message, and so do their replies. Default: 1.
   */
  readonly requestsPerThread?: number;
}

interface ThreadEvents {
  /** Called when the thread accepts no further request. */
  readonly onEnd: () => void;
  /** Called when further requests can be sent: to this thread, or to another one after its end. */
  readonly onFree: () => void;
}

/** One thread of a `ThreadPool`. It keeps the process alive while it works on a request or ends. */
export class WorkerThread {
  /** Requests without a reply, by ID. */
  readonly requests = new Map<number, PendingRequest>();
  readonly exit: Promise<void>;
  private readonly worker: Worker;
  private readonly options: ThreadOptions;
  private readonly events: ThreadEvents;
  private readonly abortedId = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  private unsentRequests: PendingRequest[] = [];
  private idleTimer: NodeJS.Timeout | undefined;
  private hasLoaded = false;
  private isEnding = false;

  constructor(file: string, name: string, options: ThreadOptions, events: ThreadEvents) {
    const { heap, data } = options;
    this.options = options;
    this.events = events;
    const worker = new Worker(file, {
      name,
      workerData: { data, abortedId: this.abortedId } satisfies ThreadData,
      ...(heap !== undefined && { resourceLimits: { maxOldGenerationSizeMb: heap } }),
    });
    this.worker = worker;
    worker.on('message', (replies: FromThread) => {
      this.hasLoaded = true;
      this.settle(replies);
    });
    worker.on('messageerror', (error) => this.stop(error));
    worker.on('error', (error: unknown) =>
      this.onEnd(isOutOfMemory(error) ? 'out-of-memory' : 'ended', error),
    );
    this.exit = new Promise((resolve) => {
      worker.on('exit', () => {
        this.onEnd('ended');
        resolve();
      });
    });
  }

  /** True once the thread has loaded its program. */
  get isReady(): boolean {
    return this.hasLoaded;
  }

  send(request: PendingRequest): void {
    this.requests.set(request.id, request);
    clearTimeout(this.idleTimer);
    this.worker.ref();
    this.unsentRequests.push(request);
    if ((this.options.requestsPerThread ?? 1) === 1) this.flush();
    else if (this.unsentRequests.length === 1) setImmediate(() => this.flush());
  }

  /** Tells the thread that nobody waits for a request: see `isRequestAborted`. */
  abort({ id }: PendingRequest): void {
    Atomics.store(this.abortedId, 0, id);
  }

  /** Ends the thread after its requests. */
  end(): void {
    clearTimeout(this.idleTimer);
    this.isEnding = true;
    this.worker.ref();
    this.flush();
    this.worker.postMessage('end' satisfies ToThread);
    this.events.onEnd();
  }

  stop(cause?: unknown): void {
    this.onEnd('stopped', cause);
    void this.worker.terminate();
  }

  cpuUsage(): Promise<NodeJS.CpuUsage> {
    return this.worker.cpuUsage();
  }

  private flush(): void {
    const requests = this.unsentRequests;
    this.unsentRequests = [];
    if (requests.length > 0) this.post(requests);
  }

  private post(requests: readonly PendingRequest[]): void {
    try {
      const messages: ToThread = requests.map(({ id, name, parameters }) => ({
        id,
        name,
        parameters: typeof parameters === 'function' ? parameters() : parameters,
      }));
      this.worker.postMessage(messages);
    } catch (error) {
      // A parameter can't be sent.
      if (requests.length > 1) for (const request of requests) this.post([request]);
      else this.settle(requests.map(({ id }) => ({ id, error: serializeError(error) })));
    }
  }

  private settle(replies: FromThread): void {
    for (const reply of replies) {
      const request = this.requests.get(reply.id);
      this.requests.delete(reply.id);
      if ('error' in reply) request?.reject(deserializeError(reply.error, this.options.errorClasses));
      else request?.resolve(reply.result);
    }
    this.rest();
    this.events.onFree();
  }

  private onEnd(reason: EndReason, cause?: unknown): void {
    clearTimeout(this.idleTimer);
    this.isEnding = true;
    this.events.onEnd();
    const requests = [...this.requests.values()];
    this.requests.clear();
    for (const request of requests.toReversed()) request.onThreadEnd(reason, cause);
    this.events.onFree();
  }

  /** Lets the process end, and the thread after a while, if there is no request. A new thread loads its program first. */
  private rest(): void {
    if (this.requests.size > 0 || this.isEnding) return;
    const { idleMs } = this.options;
    this.worker.unref();
    clearTimeout(this.idleTimer);
    if (idleMs !== undefined) this.idleTimer = setTimeout(() => this.end(), idleMs).unref();
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
