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
  private readonly limitMs: number;
  private readonly pendingRequests: QueuedExpression[] = [];
  private worker: ComputeWorker | undefined;
  private isReady = false;
  private current: QueuedExpression | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(start: () => ComputeWorker, limit: number) {
    this.start = start;
    this.limitMs = limit;
  }

  compute(request: ComputeRequest): Promise<ComputeAnswer | 'late'> {
    return new Promise((resolve, reject) => {
      this.pendingRequests.push({ request, resolve, reject });
      this.sendNext();
    });
  }

  private sendNext(): void {
    if (this.current || this.pendingRequests.length === 0) return;
    this.worker ??= this.startWorker();
    if (!this.isReady) return;
    this.current = this.pendingRequests.shift();
    this.timer = setTimeout(() => {
      this.endWorker();
      this.resolveCurrent('late');
    }, this.limitMs);
    this.worker.postMessage(this.current?.request);
  }

  private startWorker(): ComputeWorker {
    const worker = this.start();
    worker.addEventListener('message', ({ data }: MessageEvent<ComputeMessage>) => {
      if (this.worker !== worker) return;
      if (data.kind !== 'ready') {
        this.resolveCurrent(data);
        return;
      }
      this.isReady = true;
      this.sendNext();
    });
    worker.addEventListener('error', () => {
      if (this.worker === worker) this.rejectAll();
    });
    return worker;
  }

  private endWorker(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.isReady = false;
  }

  private resolveCurrent(answer: ComputeAnswer | 'late'): void {
    clearTimeout(this.timer);
    const { current } = this;
    this.current = undefined;
    current?.resolve(answer);
    this.sendNext();
  }

  /** Rejects all requests of a worker that broke or failed to load. */
  private rejectAll(): void {
    clearTimeout(this.timer);
    this.endWorker();
    const requests = this.current ? [this.current, ...this.pendingRequests] : [...this.pendingRequests];
    this.current = undefined;
    this.pendingRequests.length = 0;
    for (const { reject } of requests) reject(new Error(text.bulk.compute.broken));
  }
}
