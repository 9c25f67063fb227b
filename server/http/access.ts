import type { Socket } from 'node:net';
import { allows, allowsEverything, fullScope, neededScope, type Permission } from '../../core/app/scopes.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { Principal, TokenLookup } from '../access/principal.ts';
import { hashToken } from '../access/secret.ts';
import type { ApiRequest, Authenticate } from './request.ts';
import type { Throttle } from './throttle.ts';

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
  /** Records that a token was used. */
  readonly onTokenUsed: (principal: Principal) => void;
}

/** Creates the guard that finds the principal of a request by its token. See {@link ApiRequest.principal}. */
export function createAuthenticationGuard({ tokens, throttle, onTokenUsed }: AccessOptions): Authenticate {
  return (request) => {
    const { authorization } = request.headers;
    try {
      request.caller = principalFor(request, tokens);
    } catch (error) {
      // A request without credentials is no guess. It never counts as a failure.
      if (authorization !== undefined) throttle.countFailure(request);
      throw error;
    }
    const { principal } = request;
    throttle.countRequest(principal.id);
    onTokenUsed(principal);
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
