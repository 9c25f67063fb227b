import {
  ShellQuestion,
  StartReport,
  type ServerOrder,
  type ServerStart,
} from '../core/app/server-messages.ts';
import { is } from '../core/json/shape.ts';
import type { Clock } from './clock.ts';
import { text } from './text.ts';

/** A server process, as far as the supervisor knows it. */
export interface ServerChild {
  postMessage(order: ServerOrder): void;
  kill(): void;
  onMessage(listener: (message: unknown) => void): void;
  onExit(listener: (code: number) => void): void;
}

export interface StartFailure {
  readonly type: 'failed';
  readonly message: string;
  /** Whether another start may go better: a port or a lock can be held by a process that is ending. */
  readonly mayPass: boolean;
  /** Names of backups, where the records are missing and the user is to choose. */
  readonly backups?: readonly string[];
}

export type StartResult =
  | { readonly type: 'ready'; readonly origin: string; readonly port: number }
  | StartFailure;

/** Long enough for a check of a large database, or for its migration with the backup before it. */
export const START_TIMEOUT_MS = 60_000;

/** The same where a backup is compared and copied first, which takes a large one minutes. */
const RESTORE_TIMEOUT_MS = 30 * 60_000;

/** Returns the port of `http://127.0.0.1:<port>`, or undefined for any other address. */
export function loopbackPort(origin: string): number | undefined {
  const digits = /^http:\/\/127\.0\.0\.1:([1-9]\d{0,4})$/.exec(origin)?.[1];
  return digits === undefined || Number(digits) > 65_535 ? undefined : Number(digits);
}

function readReport(message: unknown, wantedPort: number): StartResult {
  if (!is(StartReport, message)) return { type: 'failed', message: text.unknownReport, mayPass: false };
  if (message.type === 'failed') {
    // Records that are missing do not come back by themselves.
    return { ...message, mayPass: message.backups === undefined };
  }
  const port = loopbackPort(message.origin);
  if (port === undefined || (wantedPort !== 0 && port !== wantedPort)) {
    return { type: 'failed', message: text.unknownReport, mayPass: false };
  }
  return { type: 'ready', origin: message.origin, port };
}

/**
 * Sends `order` to a new process and calls `settle` once: with its origin when it is ready, else with a sentence,
 * at the latest after {@link START_TIMEOUT_MS}, or later where a backup is restored first. A process that did not become ready is killed.
 */
export function attemptStart(
  child: ServerChild,
  order: ServerStart,
  clock: Clock,
  settle: (result: StartResult) => void,
): void {
  let settled = false;
  function finish(result: StartResult): void {
    if (settled) return;
    settled = true;
    cancelTimeout();
    if (result.type === 'failed') child.kill();
    settle(result);
  }
  const timeout = order.choice?.kind === 'restore' ? RESTORE_TIMEOUT_MS : START_TIMEOUT_MS;
  const cancelTimeout = clock.after(timeout, () => {
    finish({ type: 'failed', message: text.startTimedOut(timeout / 1000), mayPass: false });
  });
  child.onMessage((message) => {
    // The supervisor answers it, before the server is ready too.
    if (!is(ShellQuestion, message)) finish(readReport(message, order.port));
  });
  child.onExit((code) => finish({ type: 'failed', message: text.stoppedBeforeReady(code), mayPass: true }));
  child.postMessage(order);
}
