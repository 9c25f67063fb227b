import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { threadFile } from '../thread-file.ts';

const program = threadFile(import.meta, 'carry-thread');

/**
 * Carries the log over into the database in a thread: its syncs then stop nobody. It writes nothing that was not committed
 * and synced, and what it does not come to stays in the log, where it is safe.
 */
export class LogCarrier {
  private readonly path: string;
  private worker: Worker | undefined;
  private pauses = 0;
  private busy = false;

  constructor(path: string) {
    this.path = path;
  }

  /** Has the log carried over soon, unless that is being done. */
  carry(): void {
    if (this.busy || this.pauses > 0) return;
    this.busy = true;
    this.worker ??= this.start();
    this.worker.postMessage('carry');
  }

  /** Resolves once the thread does not have the database open; answers the function that lets it open it again. */
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
    const ended = () => {
      if (this.worker === worker) this.worker = undefined;
      this.busy = false;
    };
    worker.on('message', () => {
      this.busy = false;
    });
    // A thread that fails is started anew with the next entries.
    return worker.once('error', ended).once('exit', ended);
  }
}
