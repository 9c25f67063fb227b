import {
  ShellRequest,
  StartReport,
  type ServerOrder,
  type ServerStart,
} from '../core/app/server-messages.ts';
import { matchesSchema } from '../core/json/shape.ts';
import type { Clock } from './clock.ts';
import { text } from './text.ts';

/** A server process, as the supervisor sees it. */
export interface ServerChild {
  postMessage(order: ServerOrder): void;
  kill(): void;
  onMessage(listener: (message: unknown) => void): void;
  onExit(listener: (code: number) => void): void;
}

export interface StartFailure {
  readonly type: 'failed';
  readonly message: string;
  /** True if another start may succeed: an ending process may still use the port or the lock. */
  readonly mayPass: boolean;
  /** Names of backups. Present if the records are missing and the user must choose. */
  readonly backups?: readonly string[];
}

export type StartResult =
  | { readonly type: 'ready'; readonly origin: string; readonly port: number }
  | StartFailure;

/** Enough for a check of a large database, or for its migration with the preceding backup. */
export const START_TIMEOUT_MS = 60_000;

/** Limit if a backup is compared and copied first, which takes minutes for a large one. */
const RESTORE_TIMEOUT_MS = 30 * 60_000;

/** Returns the port of `http://127.0.0.1:<port>`, or undefined for any other address. */
export function loopbackPort(origin: string): number | undefined {
  const digits = /^http:\/\/127\.0\.0\.1:([1-9]\d{0,4})$/.exec(origin)?.[1];
  return digits === undefined || Number(digits) > 65_535 ? undefined : Number(digits);
}

function readReport(message: unknown, requestedPort: number): StartResult {
  if (!matchesSchema(StartReport, message))
    return { type: 'failed', message: text.unknownReport, mayPass: false };
  if (message.type === 'failed') {
    // Missing records do not come back without the user.
    return { ...message, mayPass: message.backups === undefined };
  }
  const port = loopbackPort(message.origin);
  if (port === undefined || (requestedPort !== 0 && port !== requestedPort)) {
    return { type: 'failed', message: text.unknownReport, mayPass: false };
  }
  return { type: 'ready', origin: message.origin, port };
}

/**
 * Sends `order` to a new process and calls `onResult` once: with the origin when it is ready, otherwise with a
 * message, after {@link START_TIMEOUT_MS} at the latest, or later if a backup is restored first. Kills a
 * process that did not become ready.
 */
export function attemptStart(
  child: ServerChild,
  order: ServerStart,
  clock: Clock,
  onResult: (result: StartResult) => void,
): void {
  let isSettled = false;
  function finish(result: StartResult): void {
    if (isSettled) return;
    isSettled = true;
    cancelTimeout();
    if (result.type === 'failed') child.kill();
    onResult(result);
  }
  const timeout = order.choice?.kind === 'restore' ? RESTORE_TIMEOUT_MS : START_TIMEOUT_MS;
  const cancelTimeout = clock.after(timeout, () => {
    finish({ type: 'failed', message: text.startTimedOut(timeout / 1000), mayPass: false });
  });
  child.onMessage((message) => {
    // The supervisor answers it, even before the server is ready.
    if (!matchesSchema(ShellRequest, message)) finish(readReport(message, order.port));
  });
  child.onExit((code) => finish({ type: 'failed', message: text.stoppedBeforeReady(code), mayPass: true }));
  child.postMessage(order);
}
