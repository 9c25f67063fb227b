import { text } from '../../ui/text.ts';
import type { ComputeAnswer, ComputeMessage, ComputeRequest } from './compute.worker.ts';

interface QueuedExpression {
  readonly request: ComputeRequest;
  readonly resolve: (answer: ComputeAnswer | 'late') => void;
  readonly reject: (error: Error) => void;
}

/** Part of Worker that the queue uses. */
export type ComputeWorker = Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>;

/**
 * Sends requests to one worker, one at a time. A request that takes longer than `limit` milliseconds is `late`: its
 * worker ends and another worker continues. The loading time of a worker is not counted.
 */
export class ComputeQueue {
  private readonly start: () => ComputeWorker;
  private readonly limit: number;
  private readonly pendingRequests: QueuedExpression[] = [];
  private worker: ComputeWorker | undefined;
  private isReady = false;
  private current: QueuedExpression | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(start: () => ComputeWorker, limit: number) {
    this.start = start;
    this.limit = limit;
  }

  ask(request: ComputeRequest): Promise<ComputeAnswer | 'late'> {
    return new Promise((resolve, reject) => {
      this.pendingRequests.push({ request, resolve, reject });
      this.next();
    });
  }

  private next(): void {
    if (this.current || this.pendingRequests.length === 0) return;
    this.worker ??= this.begin();
    if (!this.isReady) return;
    this.current = this.pendingRequests.shift();
    this.timer = setTimeout(() => {
      this.end();
      this.settle('late');
    }, this.limit);
    this.worker.postMessage(this.current?.request);
  }

  private begin(): ComputeWorker {
    const worker = this.start();
    worker.addEventListener('message', ({ data }: MessageEvent<ComputeMessage>) => {
      if (this.worker !== worker) return;
      if (data.kind !== 'ready') {
        this.settle(data);
        return;
      }
      this.isReady = true;
      this.next();
    });
    worker.addEventListener('error', () => {
      if (this.worker === worker) this.fail();
    });
    return worker;
  }

  private end(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.isReady = false;
  }

  private settle(answer: ComputeAnswer | 'late'): void {
    clearTimeout(this.timer);
    const { current } = this;
    this.current = undefined;
    current?.resolve(answer);
    this.next();
  }

  /** Rejects all requests of a worker that broke or failed to load. */
  private fail(): void {
    clearTimeout(this.timer);
    this.end();
    const requests = this.current ? [this.current, ...this.pendingRequests] : [...this.pendingRequests];
    this.current = undefined;
    this.pendingRequests.length = 0;
    for (const { reject } of requests) reject(new Error(text.bulk.compute.broken));
  }
}
