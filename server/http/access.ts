import type { RequestHandler, Response } from 'express';
import { createHash } from 'node:crypto';
import { FhirError } from '../../core/fhir/outcome.ts';

/** Who sends a request: the name that stands in the history, and what its token allows. */
export interface Principal {
  readonly name: string;
  readonly scopes: readonly string[];
}

/** Finds the principal of a token's SHA-256 (hex); a token itself is never kept. */
export type TokenLookup = (sha256: string) => Principal | undefined;

export const allScopes = ['system/*.*'] as const;

/** A token's SHA-256 in hex: what is compared and stored in its place. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

const challenge = 'Bearer realm="fhir"';

/**
 * The principal of an Authorization header (RFC 6750 section 2.1).
 *
 * @throws FhirError `login` without a Bearer token, `unknown-token` with one that is not known.
 */
export function authenticate(header: string | undefined, lookup: TokenLookup): Principal {
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header ?? '')?.[1];
  if (token === undefined) {
    throw new FhirError(
      'login',
      {
        text: 'Send an access token: Authorization: Bearer, a space, the token.',
        location: 'http.Authorization',
      },
      { 'WWW-Authenticate': challenge },
    );
  }
  const principal = lookup(hashToken(token));
  if (principal) return principal;
  throw new FhirError(
    'unknown-token',
    { text: 'This access token is not known here, or was revoked.', location: 'http.Authorization' },
    { 'WWW-Authenticate': `${challenge}, error="invalid_token"` },
  );
}

/** Lets a request pass with a valid token alone, and remembers its principal for {@link principalOf}. */
export function accessGuard(lookup: TokenLookup): RequestHandler {
  return (request, response, next) => {
    response.locals.principal = authenticate(request.headers.authorization, lookup);
    next();
  };
}

/** The principal that {@link accessGuard} found. */
export function principalOf(response: Response): Principal {
  const principal: unknown = response.locals.principal;
  if (isPrincipal(principal)) return principal;
  throw new TypeError('The route stands before the access guard');
}

function isPrincipal(value: unknown): value is Principal {
  return typeof value === 'object' && value !== null && 'name' in value && 'scopes' in value;
}
