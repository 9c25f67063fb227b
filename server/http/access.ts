import type { Request, RequestHandler, Response } from 'express';
import { fhirPath, routes, type Route } from '../../core/api/contract.ts';
import { allows, allowsEverything, everything, neededScope, type Permission } from '../../core/api/scopes.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { Principal, TokenLookup } from '../access/principal.ts';
import { hashToken } from '../access/secret.ts';
import { typeOf } from './request.ts';
import type { Throttle } from './throttle.ts';

const challenge = 'Bearer realm="fhir"';
const location = 'http.Authorization';

/**
 * The principal of an Authorization header (RFC 6750 section 2.1).
 *
 * @throws FhirError `login` without a Bearer token, `unknown-token` with one that is unknown or revoked,
 *   `expired-token` with one whose time is over.
 */
export function authenticate(header: string | undefined, lookup: TokenLookup): Principal {
  const token = /^Bearer +(.*)$/i.exec(header ?? '')?.[1]?.trim() ?? '';
  if (token === '') {
    throw new FhirError(
      'login',
      { text: 'Send an access token: Authorization: Bearer, a space, the token.', location },
      { 'WWW-Authenticate': challenge },
    );
  }
  const found = lookup(hashToken(token));
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

/**
 * Checks that a principal may do this with the type (SMART App Launch 2.2 scopes).
 *
 * @throws FhirError `forbidden` with the scope that would have been enough (RFC 6750 section 3.1).
 */
function requireAccess(principal: Principal, type: string, permission: Permission): void {
  if (!allows(principal.scopes, type, permission)) throw insufficient(neededScope(type, permission));
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

/**
 * Lets a request pass with a valid token alone, and remembers its principal for {@link principalOf}; routes that the
 * contract calls open pass without.
 */
export function accessGuard({ tokens, throttle, used }: AccessOptions): RequestHandler {
  return (request, response, next) => {
    if (isOpen(request.method, request.baseUrl + request.path)) {
      next();
      return;
    }
    const { authorization } = request.headers;
    try {
      response.locals.principal = authenticate(authorization, tokens);
    } catch (error) {
      // A request without any credentials has tried nothing: it is told to sign in, however often it comes.
      if (authorization !== undefined) throttle.failed(request);
      throw error;
    }
    const principal = principalOf(response);
    throttle.request(principal.id);
    used(principal);
    next();
  };
}

const openPaths = new Set(
  routes.filter(({ access }) => access === 'open').map(({ path }) => fhirPath + path),
);

function isOpen(method: string, path: string): boolean {
  return (
    (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') && openPaths.has(path.replace(/\/$/, ''))
  );
}

/** Checks the scope of a route of the contract, before the body is read; throws as {@link requireAccess} does. */
export function checkScope(request: Request, response: Response, access: Route['access']): void {
  if (access !== 'open') requireAccess(principalOf(response), typeOf(request), access);
}

/** Lets holders of everything pass: the app's own addresses, tokens among them, are theirs. */
export const appGuard: RequestHandler = (_request, response, next) => {
  if (!allowsEverything(principalOf(response).scopes)) throw insufficient(everything);
  next();
};

/** The principal that {@link accessGuard} found. */
export function principalOf(response: Response): Principal {
  const { principal } = response.locals;
  if (principal) return principal;
  throw new TypeError('The route stands before the access guard');
}
