import { isIPv6, type Socket } from 'node:net';
import { allows, allowsEverything, fullScope, neededScope, type Permission } from '../../core/app/scopes.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import type { Principal, TokenLookup } from '../access/principal.ts';
import { hashToken } from '../access/secret.ts';
import type { ApiRequest, Authenticate } from './request.ts';
import type { ServerSettings } from '../settings.ts';

export const challenge = 'Bearer realm="fhir"';
const location = 'http.Authorization';

const messages = defineMessages('access', {
  tokenMissing: 'Send an access token: Authorization: Bearer TOKEN.',
  tokenExpired: 'This access token has expired. Get a new one.',
  tokenUnknown: 'This access token is unknown or was revoked.',
  scopeMissing: 'This access token lacks the scope {scope}.',
});

/**
 * Returns the principal of an Authorization header (RFC 6750 section 2.1).
 *
 * @throws FhirError `login` without a Bearer token, `unknown-token` for an unknown or revoked token,
 *   `expired-token` for an expired token.
 */
function principalFor({ bearerToken: token, incoming }: ApiRequest, lookup: TokenLookup): Principal {
  if (token === '') {
    throw new FhirError('login', { ...messages.tokenMissing(), location }, { 'WWW-Authenticate': challenge });
  }
  const principal = lookup(hashOf(token, incoming.socket));
  if (principal === 'expired') {
    throw new FhirError(
      'expired-token',
      { ...messages.tokenExpired(), location },
      { 'WWW-Authenticate': `${challenge}, error="invalid_token", error_description="expired"` },
    );
  }
  if (principal) return principal;
  throw new FhirError(
    'unknown-token',
    { ...messages.tokenUnknown(), location },
    { 'WWW-Authenticate': `${challenge}, error="invalid_token"` },
  );
}

/** Last token of each connection with its hash, because clients repeat their token. */
const lastTokens = new WeakMap<Socket, { readonly token: string; readonly sha256: string }>();

function hashOf(token: string, socket: Socket): string {
  const lastToken = lastTokens.get(socket);
  if (lastToken?.token === token) return lastToken.sha256;
  const sha256 = hashToken(token);
  lastTokens.set(socket, { token, sha256 });
  return sha256;
}

function insufficient(scope: string): FhirError {
  return new FhirError(
    'forbidden',
    { ...messages.scopeMissing({ scope }), location },
    { 'WWW-Authenticate': `${challenge}, error="insufficient_scope", scope="${scope}"` },
  );
}

export interface AccessOptions {
  readonly tokens: TokenLookup;
  readonly throttle: Throttle;
  /** Created tokens, which record their last use. */
  readonly store: { used(id: string): void };
}

/** Creates the guard that finds the principal of a request by its token. See {@link ApiRequest.principal}. */
export function createAuthenticationGuard({ tokens, throttle, store }: AccessOptions): Authenticate {
  return (request) => {
    const { authorization } = request.headers;
    try {
      request.caller = principalFor(request, tokens);
    } catch (error) {
      // A request without credentials is no guess. It never counts as a failure.
      if (authorization !== undefined) throttle.countFailure(request);
      throw error;
    }
    const { id, kind } = request.principal;
    throttle.countRequest(id);
    if (kind === 'minted' || kind === 'issued') store.used(id);
  };
}

/** Required access of an address: none, any token, a permission on the type of the address, or everything. */
export type Access = 'open' | 'token' | Permission | 'everything';

/**
 * Checks the permission of the token before the body is read (SMART App Launch 2.2 scopes).
 *
 * @throws FhirError `forbidden` with the missing scope (RFC 6750 section 3.1).
 */
export function authorize(request: ApiRequest, access: Access): void {
  if (access === 'open' || access === 'token') return;
  const { scopes } = request.principal;
  if (access === 'everything') {
    if (!allowsEverything(scopes)) throw insufficient(fullScope);
    return;
  }
  const { type } = request;
  if (!allows(scopes, type, access)) throw insufficient(neededScope(type, access));
}

export type Throttle = ReturnType<typeof createThrottle>;

const throttleMessages = defineMessages('throttle', {
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
      assertAllowed(failures(getNetwork(remoteAddress)), throttleMessages.failures);
    },
    countRequest(principalId: string): void {
      assertAllowed(requests?.(principalId), throttleMessages.requests);
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
