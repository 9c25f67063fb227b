import type { Request } from 'express';
import { FhirError } from '../../core/fhir/outcome.ts';
import { countingWindow } from '../access/window.ts';

/** The two limits of tries in a minute; both throw FhirError `throttled` with Retry-After (RFC 6585 section 4). */
export interface Throttle {
  /** Counts a failed authentication against the address that it came from. */
  failed(request: Request): void;
  /** Counts a request against its token. */
  request(principalId: string): void;
}

export interface ThrottleOptions {
  readonly failureLimit: number;
  readonly rateLimit: number | undefined;
  readonly clock: () => number;
}

/** A valid token is never refused for failures beside it: on one machine all clients share an address. */
export function createThrottle({ failureLimit, rateLimit, clock }: ThrottleOptions): Throttle {
  const failures = countingWindow(failureLimit, clock);
  const requests = rateLimit === undefined ? undefined : countingWindow(rateLimit, clock);
  return {
    failed(request) {
      refuse(
        failures(request.socket.remoteAddress ?? ''),
        'Too many failed sign-ins came from this address; wait, and check the access token.',
      );
    },
    request(principalId) {
      refuse(requests?.(principalId), 'This access token has used up its requests of a minute; wait.');
    },
  };
}

function refuse(seconds: number | undefined, text: string): void {
  if (seconds !== undefined) {
    throw new FhirError('throttled', { text }, { 'Retry-After': String(seconds) });
  }
}
