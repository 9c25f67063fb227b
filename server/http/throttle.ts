import { isIPv6 } from 'node:net';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import type { ServerSettings } from '../settings.ts';
import type { ApiRequest } from './request.ts';

export type Throttle = ReturnType<typeof createThrottle>;

const messages = defineMessages('throttle', {
  failures: 'Too many failed sign-ins from this address. Check the access token, and try again later.',
  requests: 'This access token has reached its limit of requests per minute. Try again later.',
});

/** Limit of provider sign-ins that a network can start in a minute. All starts of ten minutes are stored. */
const maxStartsPerMinute = 200;

/**
 * Creates the rate limits per minute. A rejection is FhirError `throttled` with Retry-After (RFC 6585
 * section 4).
 *
 * A valid token is never rejected for failures of others, because all clients of one machine share an
 * address.
 */
export function createThrottle({
  failureLimit,
  rateLimit,
}: Pick<ServerSettings, 'failureLimit' | 'rateLimit'>) {
  const failures = createCountingWindow(failureLimit, Date.now);
  const requests = rateLimit === undefined ? undefined : createCountingWindow(rateLimit, Date.now);
  const starts = createCountingWindow(maxStartsPerMinute, Date.now);
  return {
    /** Counts a sign-in start at a provider. Returns the seconds to wait if there are too many. */
    countStart: ({ remoteAddress }: ApiRequest) => starts(getNetwork(remoteAddress)),
    /** Counts a failed authentication of a network. */
    countFailure({ remoteAddress }: ApiRequest): void {
      assertAllowed(failures(getNetwork(remoteAddress)), messages.failures);
    },
    /** Counts a request of a token. */
    countRequest(principalId: string): void {
      assertAllowed(requests?.(principalId), messages.requests);
    },
  };
}

/**
 * Returns the network of a client: an IPv4 address, or the first 64 bits of an IPv6 address, which one
 * owner has.
 */
export function getNetwork(remoteAddress: string): string {
  const address = /^::ffff:([\d.]+)$/i.exec(remoteAddress)?.[1] ?? remoteAddress;
  if (!isIPv6(address)) return address;
  const [start = '', end] = address.split('%', 1)[0]?.split('::') ?? [];
  const [leading, trailing] = [start, end ?? ''].map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - (leading?.length ?? 0) - (trailing?.length ?? 0))).fill('0');
  return [...(leading ?? []), ...zeros, ...(trailing ?? [])].slice(0, 4).join(':');
}

function assertAllowed(seconds: number | undefined, message: () => Message): void {
  if (seconds !== undefined) {
    throw new FhirError('throttled', message(), { 'Retry-After': String(seconds) });
  }
}

/** Milliseconds of a window. */
const windowMs = 60_000;

/** Limit of keys. The oldest are evicted, so that many addresses can't fill the memory. */
const maxKeys = 10_000;

/**
 * Counts events by key in windows of a minute, each starting with its first event.
 *
 * @returns Seconds to wait if the event exceeds `limit`, otherwise undefined.
 */
export function createCountingWindow(
  limit: number,
  clock: () => number,
): (key: string) => number | undefined {
  const windows = new Map<string, { readonly start: number; count: number }>();
  return (key) => {
    const now = clock();
    const window = windows.get(key);
    if (window === undefined || now - window.start >= windowMs || now < window.start) {
      windows.delete(key);
      for (const oldest of windows.keys()) {
        if (windows.size < maxKeys) break;
        windows.delete(oldest);
      }
      windows.set(key, { start: now, count: 1 });
      return undefined;
    }
    window.count += 1;
    return window.count > limit ? Math.max(1, Math.ceil((window.start + windowMs - now) / 1000)) : undefined;
  };
}
