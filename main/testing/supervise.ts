import { vi } from 'vitest';
import type { ServerOrder } from '../../core/app/server-messages.ts';
import { systemClock } from '../clock.ts';
import type { ServerChild } from '../server-attempt.ts';
import { createSecretVault } from '../secret-vault.ts';
import { createServerProcess } from '../server-process.ts';

export const ORIGIN = 'http://127.0.0.1:40123';

/** A server process that records its orders and sends messages on request. */
export class FakeChild implements ServerChild {
  readonly orders: ServerOrder[] = [];
  readonly kill = vi.fn();
  readonly #messages: ((message: unknown) => void)[] = [];
  readonly #exits: ((code: number) => void)[] = [];

  postMessage(order: ServerOrder): void {
    this.orders.push(order);
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#messages.push(listener);
  }

  onExit(listener: (code: number) => void): void {
    this.#exits.push(listener);
  }

  send(message: unknown): void {
    for (const listener of this.#messages) listener(message);
  }

  exit(code: number): void {
    for (const listener of this.#exits) listener(code);
  }
}

/** Returns a supervisor of fake processes and functions to control them. The caller fakes the timers. */
export function supervise() {
  const children: FakeChild[] = [];
  const onReady = vi.fn<(origin: string) => void>();
  const onFailed = vi.fn<(message: string) => void>();
  const onMissing = vi.fn<(message: string, backups: readonly string[]) => void>();
  const log = vi.fn<(line: string) => void>();
  const server = createServerProcess({
    fork: () => {
      const child = new FakeChild();
      children.push(child);
      return child;
    },
    clock: systemClock,
    log,
    dataDir: '/data',
    token: 'secret-token',
    vault: createSecretVault({ cipher: undefined, file: '', log }),
    answerProxy: ({ ask }) => Promise.resolve({ type: 'proxy', ask, pac: 'DIRECT' }),
    onReady,
    onFailed,
    onMissing,
  });
  const child = (index = children.length - 1): FakeChild => {
    const child = children.at(index);
    if (!child) throw new Error(`No process ${index}.`);
    return child;
  };
  const startReady = () => {
    server.start();
    child().send({ type: 'ready', origin: ORIGIN });
  };
  /** Ends the running process and starts the next one, after any back-off. */
  const crashAndRecover = () => {
    child().exit(1);
    vi.advanceTimersByTime(2_000);
    child().send({ type: 'ready', origin: ORIGIN });
  };
  return { server, children, child, onReady, onFailed, onMissing, log, startReady, crashAndRecover };
}
