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

export interface RetryOptions {
  readonly gateway: Pick<Gateway, 'ask'>;
  /** Returns the current connection; rejects if it was removed. */
  readonly connection: () => Promise<Connection>;
  readonly clock: () => number;
  /** Resolves after some milliseconds; rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called with the length of each pause, and with undefined when requests continue. */
  readonly onWait: (
    pause: { readonly until: number; readonly error: string } | undefined,
  ) => void | Promise<void>;
}

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
  const { gateway, connection, clock, wait, onWait: reportPause } = options;
  for (let delay = minWaitMs; ; delay = Math.min(2 * delay, mostWait)) {
    signal.throwIfAborted();
    const request = {
      url,
      method: 'GET',
      disconnected: signal,
      expected: { type, list: true as const },
      headers: { Accept: 'application/fhir+json, application/json;q=0.9' },
    };
    const outcome = await gateway.ask(await connection(), request).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof RemoteError && error.passing) return error;
      throw error;
    });
    const pause = outcome instanceof RemoteError ? delay : pauseOf(outcome, delay, clock());
    if (!(outcome instanceof RemoteError) && pause === undefined) return outcome;
    const message = outcome instanceof RemoteError ? outcome.message : formatMessage(outcome, url).text;
    const ms = pause ?? delay;
    await reportPause({ until: clock() + ms, error: message });
    await wait(ms, signal);
    await reportPause(undefined);
  }
}

function pauseOf({ status, headers }: PageResponse, delay: number, now: number): number | undefined {
  if (status !== 408 && status !== 429 && status < 500) return undefined;
  const requestedSeconds = secondsToWait(headers['retry-after'] ?? null, now);
  return requestedSeconds === undefined
    ? delay
    : Math.max(minWaitMs, Math.min(requestedSeconds * 1000, maxRequestedWaitMs));
}

/** Returns the reason of a server's rejection, in its own words if it sent any. */
export function formatMessage({ status, body }: PageResponse, { host }: URL): Message {
  const [issue] = readOutcome(body.toString())?.issue ?? [];
  const serverMessage = issue?.details?.text ?? issue?.diagnostics;
  if (serverMessage === undefined) return messages.status({ host, status: String(status) });
  return messages.sentence({ sentence: serverMessage.slice(0, 500) });
}
