/** Asks another server at the pace that it bears: one request at a time, and none while it wants to be left alone. */
import { secondsToWait } from '../../core/api/http-date.ts';
import type { Connection } from '../../core/app/connections.ts';
import { readOutcome } from '../../core/api/answers.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { PageAnswer } from '../gateway/answer.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { RemoteFault } from '../gateway/remote-fault.ts';

/** Milliseconds between attempts without an answer, doubling. */
const leastWait = 1000;
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
 * @throws AccessFault, KeyFileError, RemoteFault where a further attempt would come to the same.
 */
export async function askPatiently(
  asking: Asking,
  url: URL,
  type: ResourceType,
  signal: AbortSignal,
): Promise<PageAnswer> {
  const { gateway, connection, clock, wait, waiting } = asking;
  for (let delay = leastWait; ; delay = Math.min(2 * delay, mostWait)) {
    signal.throwIfAborted();
    const request = {
      ...{ url, method: 'GET', gone: signal },
      asked: { type, list: true as const },
      headers: { Accept: 'application/fhir+json, application/json;q=0.9' },
    };
    const found = await gateway.ask(await connection(), request).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof RemoteFault && error.passing) return error;
      throw error;
    });
    const pause = found instanceof RemoteFault ? delay : pauseOf(found, delay, clock());
    if (!(found instanceof RemoteFault) && pause === undefined) return found;
    const fault = found instanceof RemoteFault ? found.message : sentenceOf(found, url);
    const ms = pause ?? delay;
    await waiting({ until: clock() + ms, fault });
    await wait(ms, signal);
    await waiting(undefined);
  }
}

function pauseOf({ status, headers }: PageAnswer, delay: number, now: number): number | undefined {
  if (status !== 408 && status !== 429 && status < 500) return undefined;
  const asked = secondsToWait(headers['retry-after'] ?? null, now);
  return asked === undefined ? delay : Math.max(leastWait, Math.min(asked * 1000, mostAsked));
}

/** What a server says of its refusal, in its own words. */
export function sentenceOf({ status, body }: PageAnswer, { host }: URL): string {
  const [issue] = readOutcome(body.toString())?.issue ?? [];
  const said = issue?.details?.text ?? issue?.diagnostics;
  return said === undefined ? `${host} answered ${status}.` : said.slice(0, 500);
}
