import type { Request } from 'express';
import { isIPv6 } from 'node:net';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { ServerSettings } from '../settings.ts';

export type Throttle = ReturnType<typeof createThrottle>;

/** Sign-ins at a provider that a network may begin in a minute: of all that it begins, those of ten minutes are kept. */
const mostBegun = 200;

/**
 * The limits of tries in a minute; what is refused is FhirError `throttled` with Retry-After (RFC 6585 section 4). A valid token is
 * never refused for failures beside it: on one machine all clients share an address.
 */
export function createThrottle({
  failureLimit,
  rateLimit,
}: Pick<ServerSettings, 'failureLimit' | 'rateLimit'>) {
  const failures = countingWindow(failureLimit, Date.now);
  const requests = rateLimit === undefined ? undefined : countingWindow(rateLimit, Date.now);
  const starts = countingWindow(mostBegun, Date.now);
  return {
    /** Counts the start of a sign-in at a provider. Returns the seconds to wait where it is one too many. */
    begun: (request: Request) => starts(networkOf(request)),
    /** Counts a failed authentication against the network that it came from. */
    failed(request: Request): void {
      refuse(
        failures(networkOf(request)),
        'Too many failed sign-ins came from this address; wait, and check the access token.',
      );
    },
    /** Counts a request against its token. */
    request(principalId: string): void {
      refuse(requests?.(principalId), 'This access token has used up its requests of a minute; wait.');
    },
  };
}

/** Returns what stands for where a request came from: its address, or the 64 bits of an IPv6 address that one holder has. */
export function networkOf({ socket: { remoteAddress = '' } }: Pick<Request, 'socket'>): string {
  const address = /^::ffff:([\d.]+)$/i.exec(remoteAddress)?.[1] ?? remoteAddress;
  if (!isIPv6(address)) return address;
  const [start = '', end] = address.split('%', 1)[0]?.split('::') ?? [];
  const [first, last] = [start, end ?? ''].map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - (first?.length ?? 0) - (last?.length ?? 0))).fill('0');
  return [...(first ?? []), ...zeros, ...(last ?? [])].slice(0, 4).join(':');
}

function refuse(seconds: number | undefined, text: string): void {
  if (seconds !== undefined) {
    throw new FhirError('throttled', { text }, { 'Retry-After': String(seconds) });
  }
}

/** Milliseconds of a window. */
const span = 60_000;

/** Keys that are remembered at once; the oldest go first, so that many addresses cannot fill the memory. */
const mostKeys = 10_000;

/**
 * Counts events by key in windows of a minute, each from its first event on. Answers the whole seconds to wait where
 * an event is one more than `limit`, otherwise undefined.
 */
export function countingWindow(limit: number, clock: () => number): (key: string) => number | undefined {
  const windows = new Map<string, { readonly start: number; count: number }>();
  return (key) => {
    const now = clock();
    const window = windows.get(key);
    if (window === undefined || now - window.start >= span || now < window.start) {
      windows.delete(key);
      for (const oldest of windows.keys()) {
        if (windows.size < mostKeys) break;
        windows.delete(oldest);
      }
      windows.set(key, { start: now, count: 1 });
      return undefined;
    }
    window.count += 1;
    return window.count > limit ? Math.max(1, Math.ceil((window.start + span - now) / 1000)) : undefined;
  };
}
