/** Asks another server at the pace that it bears: one request at a time, and none while it wants to be left alone. */
import { secondsToWait } from '../../core/api/http-date.ts';
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

/** Milliseconds between attempts without an answer, doubling. */
const minWaitMs = 1000;
const mostWait = 60_000;

/** Milliseconds that a server may ask to wait. */
const mostAsked = 5 * 60_000;

export interface Asking {
  readonly gateway: Pick<Gateway, 'ask'>;
  /** The connection as it is now; rejects where it is gone. */
  readonly connection: () => Promise<Connection>;
  readonly clock: () => number;
  /** Resolves after so many milliseconds; rejects once the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Told while nothing is asked, and with undefined when it goes on. */
  readonly waiting: (
    pause: { readonly until: number; readonly fault: string } | undefined,
  ) => void | Promise<void>;
}

/**
 * The answer to a search or history of a type, whatever it takes to get one.
 *
 * @throws AccessError, KeyFileError, RemoteError where a further attempt would come to the same.
 */
export async function requestWithRetry(
  asking: Asking,
  url: URL,
  type: ResourceType,
  signal: AbortSignal,
): Promise<PageResponse> {
  const { gateway, connection, clock, wait, waiting } = asking;
  for (let delay = minWaitMs; ; delay = Math.min(2 * delay, mostWait)) {
    signal.throwIfAborted();
    const request = {
      url,
      method: 'GET',
      gone: signal,
      asked: { type, list: true as const },
      headers: { Accept: 'application/fhir+json, application/json;q=0.9' },
    };
    const found = await gateway.ask(await connection(), request).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof RemoteError && error.passing) return error;
      throw error;
    });
    const pause = found instanceof RemoteError ? delay : pauseOf(found, delay, clock());
    if (!(found instanceof RemoteError) && pause === undefined) return found;
    const fault = found instanceof RemoteError ? found.message : formatMessage(found, url).text;
    const ms = pause ?? delay;
    await waiting({ until: clock() + ms, fault });
    await wait(ms, signal);
    await waiting(undefined);
  }
}

function pauseOf({ status, headers }: PageResponse, delay: number, now: number): number | undefined {
  if (status !== 408 && status !== 429 && status < 500) return undefined;
  const asked = secondsToWait(headers['retry-after'] ?? null, now);
  return asked === undefined ? delay : Math.max(minWaitMs, Math.min(asked * 1000, mostAsked));
}

/** Returns the reason of a server's refusal, in its own words if it sent some. */
export function formatMessage({ status, body }: PageResponse, { host }: URL): Message {
  const [issue] = readOutcome(body.toString())?.issue ?? [];
  const said = issue?.details?.text ?? issue?.diagnostics;
  if (said === undefined) return messages.status({ host, status: String(status) });
  return messages.sentence({ sentence: said.slice(0, 500) });
}
