import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { threadFile } from '../thread-file.ts';

const program = threadFile(import.meta, 'checkpoint-worker');

/**
 * Checkpoints the WAL in a worker thread, so that its syncs block no request. Failed checkpoints are harmless: the
 * pages stay in the WAL.
 */
export class WalCheckpointer {
  private readonly path: string;
  private worker: Worker | undefined;
  private pauses = 0;
  private busy = false;

  constructor(path: string) {
    this.path = path;
  }

  /** Schedules a checkpoint, unless one is running. */
  carry(): void {
    if (this.busy || this.pauses > 0) return;
    this.busy = true;
    this.worker ??= this.start();
    this.worker.postMessage('carry');
  }

  /**
   * Resolves once the thread has closed the database. Returns the function that allows it to open the database again.
   */
  async pause(): Promise<() => void> {
    this.pauses += 1;
    const { worker } = this;
    if (worker) {
      worker.ref();
      const end = once(worker, 'exit').catch(() => undefined);
      worker.postMessage('close');
      await end;
    }
    return () => {
      this.pauses -= 1;
    };
  }

  private start(): Worker {
    const worker = new Worker(program, { workerData: this.path });
    worker.unref();
    const onEnd = () => {
      if (this.worker === worker) this.worker = undefined;
      this.busy = false;
    };
    worker.on('message', () => {
      this.busy = false;
    });
    // A failed thread is started again with the next entries.
    return worker.once('error', onEnd).once('exit', onEnd);
  }
}
