import type { Request, Response } from 'express';
import type { Socket } from 'node:net';
import { allows, allowsEverything, everything, neededScope, type Permission } from '../../core/app/scopes.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { Doer } from '../store/doer.ts';
import type { Principal, TokenLookup } from '../access/principal.ts';
import { hashToken } from '../access/secret.ts';
import { requestIdOf } from './head.ts';
import { typeOf, bearerIn, type Guard } from './request.ts';
import type { Throttle } from './throttle.ts';

export const challenge = 'Bearer realm="fhir"';
const location = 'http.Authorization';

/**
 * The principal of an Authorization header (RFC 6750 section 2.1).
 *
 * @throws FhirError `login` without a Bearer token, `unknown-token` with one that is unknown or revoked,
 *   `expired-token` with one whose time is over.
 */
function principalFor({ headers, socket }: Request, lookup: TokenLookup): Principal {
  const token = bearerIn(headers);
  if (token === '') {
    throw new FhirError(
      'login',
      { text: 'Send an access token: Authorization: Bearer, a space, the token.', location },
      { 'WWW-Authenticate': challenge },
    );
  }
  const found = lookup(hashOf(token, socket));
  if (found === 'expired') {
    throw new FhirError(
      'expired-token',
      { text: 'This access token has expired; obtain a new one.', location },
      { 'WWW-Authenticate': `${challenge}, error="invalid_token", error_description="expired"` },
    );
  }
  if (found) return found;
  throw new FhirError(
    'unknown-token',
    { text: 'This access token is not known here, or was revoked.', location },
    { 'WWW-Authenticate': `${challenge}, error="invalid_token"` },
  );
}

/** The token that came last over a connection, with its hash: clients send the same one each time. */
const last = new WeakMap<Socket, { readonly token: string; readonly sha256: string }>();

function hashOf(token: string, socket: Socket): string {
  const known = last.get(socket);
  if (known?.token === token) return known.sha256;
  const sha256 = hashToken(token);
  last.set(socket, { token, sha256 });
  return sha256;
}

function insufficient(scope: string): FhirError {
  return new FhirError(
    'forbidden',
    { text: `The access token does not allow this; it needs the scope ${scope}.`, location },
    { 'WWW-Authenticate': `${challenge}, error="insufficient_scope", scope="${scope}"` },
  );
}

declare module 'express-serve-static-core' {
  interface Locals {
    principal?: Principal;
  }
}

export interface AccessOptions {
  readonly tokens: TokenLookup;
  readonly throttle: Throttle;
  /** Notes that a token was used. */
  readonly used: (principal: Principal) => void;
}

/** Finds the principal of a request by its token, and remembers it for {@link principalOf}. */
export function authentication({ tokens, throttle, used }: AccessOptions): Guard {
  return (request, response) => {
    const { authorization } = request.headers;
    try {
      response.locals.principal = principalFor(request, tokens);
    } catch (error) {
      // A request without any credentials has tried nothing: it is told to sign in, however often it comes.
      if (authorization !== undefined) throttle.failed(request);
      throw error;
    }
    const principal = principalOf(response);
    throttle.request(principal.id);
    used(principal);
  };
}

/**
 * Whom an address answers: anybody, holders of any token, of one that allows this with the type of the address, or of
 * everything.
 */
export type Access = 'open' | 'token' | Permission | 'everything';

/**
 * Checks what the token of a request allows, before the body is read (SMART App Launch 2.2 scopes).
 *
 * @throws FhirError `forbidden` with the scope that would have been enough (RFC 6750 section 3.1).
 */
export function authorize(request: Request, response: Response, access: Access): void {
  if (access === 'open' || access === 'token') return;
  const { scopes } = principalOf(response);
  if (access === 'everything') {
    if (!allowsEverything(scopes)) throw insufficient(everything);
    return;
  }
  const type = typeOf(request);
  if (!allows(scopes, type, access)) throw insufficient(neededScope(type, access));
}

/** Who does what a request asks for, as the audit trail names it. */
export function doerOf(response: Response): Doer {
  const { name, person } = principalOf(response);
  return { who: name, ...(person !== undefined && { person }), requestId: requestIdOf(response) };
}

/** The principal that {@link authentication} found. */
export function principalOf(response: Response): Principal {
  const { principal } = response.locals;
  if (principal) return principal;
  throw new TypeError('The route is open');
}
