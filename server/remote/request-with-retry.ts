/** Sends requests to another server at its pace: one at a time, and none during a requested pause. */
import { secondsToWait } from '../../core/api/precondition.ts';
import type { Connection } from '../../core/app/connections.ts';
import { readOutcome } from '../../core/api/answers.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import type { PageResponse } from '../gateway/page-response.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { RemoteError } from '../gateway/remote-error.ts';

const messages = defineMessages('remote', {
  status: '{host} answered {status}.',
  sentence: '{sentence}',
});

/** Milliseconds between attempts without a response; doubles each time. */
const minWaitMs = 1000;
const mostWait = 60_000;

/** Maximum pause in milliseconds that a server may request. */
const maxRequestedWaitMs = 5 * 60_000;

/** Time, and what a pause is reported to. */
export interface PaceOptions {
  readonly clock: () => number;
  /** Resolves after some milliseconds; rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called with the length of each pause, and with undefined when requests continue. */
  readonly onWait: (
    pause: { readonly until: number; readonly error: string } | undefined,
  ) => void | Promise<void>;
}

export interface RetryOptions extends PaceOptions {
  readonly gateway: Pick<Gateway, 'ask'>;
  /** Returns the current connection; rejects if it was removed. */
  readonly connection: () => Promise<Connection>;
}

type Answer = Pick<PageResponse, 'status' | 'body'> & {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

/**
 * Returns the response to a search or history of a type after as many attempts as needed.
 *
 * @throws AccessError, KeyFileError, RemoteError if another attempt cannot succeed.
 */
export async function requestWithRetry(
  options: RetryOptions,
  url: URL,
  type: ResourceType,
  signal: AbortSignal,
): Promise<PageResponse> {
  const { gateway, connection } = options;
  const request = {
    url,
    method: 'GET',
    disconnected: signal,
    expected: { type, list: true as const },
    headers: { Accept: 'application/fhir+json, application/json;q=0.9' },
  };
  return sendAtPace(options, url, async () => gateway.ask(await connection(), request), signal);
}

/** Limits of {@link sendAtPace}. */
export interface PaceLimits {
  /** Longest pause in milliseconds that a server may request. */
  readonly requestedWaitMs: number;
  /** Attempts that may fail after the server got the request. */
  readonly attempts: number;
}

/**
 * Returns the response to a request after as many attempts as needed, at the pace that the server asks for.
 *
 * @throws AccessError, KeyFileError, RemoteError if another attempt cannot succeed.
 */
export async function sendAtPace<Response extends Answer>(
  { clock, wait, onWait: reportPause }: PaceOptions,
  url: URL,
  send: () => Promise<Response>,
  signal: AbortSignal,
  { requestedWaitMs, attempts }: PaceLimits = { requestedWaitMs: maxRequestedWaitMs, attempts: Infinity },
): Promise<Response> {
  let failures = 0;
  for (let delay = minWaitMs; ; delay = Math.min(2 * delay, mostWait)) {
    signal.throwIfAborted();
    const outcome = await send().catch((error: unknown) => {
      signal.throwIfAborted();
      if (!(error instanceof RemoteError) || !error.passing) throw error;
      failures += error.sent ? 1 : 0;
      if (failures >= attempts) throw error;
      return error;
    });
    const pause = outcome instanceof RemoteError ? delay : pauseOf(outcome, delay, clock(), requestedWaitMs);
    if (!(outcome instanceof RemoteError) && pause === undefined) return outcome;
    const message = outcome instanceof RemoteError ? outcome.message : formatMessage(outcome, url).text;
    const ms = pause ?? delay;
    await reportPause({ until: clock() + ms, error: message });
    await wait(ms, signal);
    await reportPause(undefined);
  }
}

function pauseOf(
  { status, headers }: Answer,
  delay: number,
  now: number,
  mostMs: number,
): number | undefined {
  if (status !== 408 && status !== 429 && status < 500) return undefined;
  return requestedPause(headers, now, mostMs) ?? delay;
}

/** Returns the milliseconds that a response asks to wait, within limits; undefined if it does not say. */
export function requestedPause(headers: Answer['headers'], now: number, mostMs: number): number | undefined {
  const header = headers['retry-after'];
  const requestedSeconds = secondsToWait(typeof header === 'string' ? header : null, now);
  return requestedSeconds === undefined
    ? undefined
    : Math.max(minWaitMs, Math.min(requestedSeconds * 1000, mostMs));
}

/** Returns the reason of a server's rejection, in its own words if it sent any. */
export function formatMessage({ status, body }: Pick<Answer, 'status' | 'body'>, { host }: URL): Message {
  const [issue] = readOutcome(body.toString())?.issue ?? [];
  const serverMessage = issue?.details?.text ?? issue?.diagnostics;
  if (serverMessage === undefined) return messages.status({ host, status: String(status) });
  return messages.sentence({ sentence: serverMessage.slice(0, 500) });
}
