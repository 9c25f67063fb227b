import { fork, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { constants } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const port = pathToFileURL(join(import.meta.dirname, 'parent-port.ts')).href;

/** A utility process: Node runs the file, with `process.parentPort` as in Electron. */
export class DoubleChild extends EventEmitter {
  readonly #process: ChildProcess;
  /** Messages of the shell, so that a test can search for secrets elsewhere. */
  readonly orders: unknown[] = [];

  constructor(file: string) {
    super();
    this.#process = fork(file, [], {
      execArgv: ['--import', port],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    this.#process.on('message', (message) => this.emit('message', message));
    this.#process.on('exit', (code, signal) =>
      this.emit('exit', code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  }

  get stdout() {
    return this.#process.stdout;
  }

  get stderr() {
    return this.#process.stderr;
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  postMessage(message: object): void {
    this.orders.push(message);
    if (this.#process.connected) this.#process.send(message);
  }

  kill(): boolean {
    return this.#process.kill();
  }

  /** Ends the process at once and waits for its end. */
  async end(): Promise<void> {
    if (!this.isRunning) return;
    const exit = once(this.#process, 'exit');
    this.signal('SIGKILL');
    await exit;
  }

  /** Sends a signal, to simulate a crash or a process that no longer responds. */
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    this.#process.kill(signal);
  }
}

/** Replaces a process after the program has ended: nothing runs, and nothing responds. */
export class StillChild extends EventEmitter {
  readonly stdout = null;
  readonly stderr = null;

  postMessage(): void {
    // There is no process.
  }

  kill(): boolean {
    return false;
  }
}
