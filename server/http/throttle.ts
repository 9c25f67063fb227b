import type { Request } from 'express';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { ServerSettings } from '../settings.ts';

export type Throttle = ReturnType<typeof createThrottle>;

/**
 * The two limits of tries in a minute; both throw FhirError `throttled` with Retry-After (RFC 6585 section 4). A valid token is
 * never refused for failures beside it: on one machine all clients share an address.
 */
export function createThrottle({
  failureLimit,
  rateLimit,
}: Pick<ServerSettings, 'failureLimit' | 'rateLimit'>) {
  const failures = countingWindow(failureLimit, Date.now);
  const requests = rateLimit === undefined ? undefined : countingWindow(rateLimit, Date.now);
  return {
    /** Counts a failed authentication against the address that it came from. */
    failed(request: Request): void {
      refuse(
        failures(request.socket.remoteAddress ?? ''),
        'Too many failed sign-ins came from this address; wait, and check the access token.',
      );
    },
    /** Counts a request against its token. */
    request(principalId: string): void {
      refuse(requests?.(principalId), 'This access token has used up its requests of a minute; wait.');
    },
  };
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
