import type { Request } from 'express';
import { FhirError } from '../../core/fhir/outcome.ts';
import { countingWindow } from '../access/window.ts';
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
