import type { ComputeAnswer, ComputeMessage, ComputeRequest } from './compute.worker.ts';

interface Asked {
  readonly request: ComputeRequest;
  readonly resolve: (answer: ComputeAnswer | 'late') => void;
  readonly reject: (error: Error) => void;
}

/** The part of a worker that is used. */
export type ComputeWorker = Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>;

/**
 * Asks one worker one question at a time. One that takes longer than `limit` milliseconds is `late`: its worker is ended,
 * and another goes on with the questions behind it. The time that a worker takes to load is not counted.
 */
export class ComputeQueue {
  private readonly start: () => ComputeWorker;
  private readonly limit: number;
  private readonly waiting: Asked[] = [];
  private worker: ComputeWorker | undefined;
  private isReady = false;
  private current: Asked | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(start: () => ComputeWorker, limit: number) {
    this.start = start;
    this.limit = limit;
  }

  ask(request: ComputeRequest): Promise<ComputeAnswer | 'late'> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, resolve, reject });
      this.next();
    });
  }

  private next(): void {
    if (this.current || this.waiting.length === 0) return;
    this.worker ??= this.begin();
    if (!this.isReady) return;
    this.current = this.waiting.shift();
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

  /** A worker that broke, or could not be loaded, answers nobody. */
  private fail(): void {
    clearTimeout(this.timer);
    this.end();
    const asked = this.current ? [this.current, ...this.waiting] : [...this.waiting];
    this.current = undefined;
    this.waiting.length = 0;
    for (const { reject } of asked) reject(new Error('The expression could not be evaluated.'));
  }
}
