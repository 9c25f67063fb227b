/** The client credentials grant (RFC 6749 section 4.4) as functions of a request's parts. */
import { covers } from '../../core/app/scopes.ts';
import type { Principal, TokenLookup } from './principal.ts';
import { hashToken } from './secret.ts';

type OAuthCode = 'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'invalid_scope';

/** An error response of the token endpoint (RFC 6749 section 5.2). */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthCode;

  constructor(code: OAuthCode, description: string) {
    super(description);
    this.code = code;
  }

  get status(): 400 | 401 {
    return this.code === 'invalid_client' ? 401 : 400;
  }
}

/** A client: a minted token's id and, as its secret, the token itself. */
export interface ClientCredentials {
  readonly id: string;
  readonly secret: string;
}

/**
 * The parameters of a form body; one without a value counts as left out.
 *
 * @throws OAuthError `invalid_request` where one stands twice (RFC 6749 section 3.2).
 */
export function readForm(text: string): ReadonlyMap<string, string> {
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (form.has(name)) throw new OAuthError('invalid_request', 'A parameter stands twice in the body.');
    if (value !== '') form.set(name, value);
  }
  return form;
}

/** @throws OAuthError `invalid_request` without a grant type, `unsupported_grant_type` for any but one. */
export function checkGrantType(form: ReadonlyMap<string, string>): void {
  const type = form.get('grant_type');
  if (type === undefined) {
    throw new OAuthError('invalid_request', 'Send grant_type=client_credentials in the form body.');
  }
  if (type !== 'client_credentials') {
    throw new OAuthError('unsupported_grant_type', 'The only grant_type here is client_credentials.');
  }
}

/**
 * The client's credentials: HTTP Basic (`client_secret_basic`) or the body (`client_secret_post`), RFC 6749 section
 * 2.3.1.
 *
 * @throws OAuthError `invalid_request` where both are sent, `invalid_client` where none is.
 */
export function readCredentials(
  authorization: string | undefined,
  form: ReadonlyMap<string, string>,
): ClientCredentials {
  const secret = form.get('client_secret');
  if (authorization === undefined) {
    const id = form.get('client_id');
    if (id !== undefined && secret !== undefined) return { id, secret };
    throw new OAuthError('invalid_client', 'Send client_id and client_secret, in HTTP Basic or in the body.');
  }
  if (secret !== undefined) {
    throw new OAuthError('invalid_request', 'Send the client secret in one place only.');
  }
  const basic = readBasic(authorization);
  if (!basic) throw new OAuthError('invalid_client', 'The Authorization header is not HTTP Basic.');
  if ((form.get('client_id') ?? basic.id) !== basic.id) {
    throw new OAuthError('invalid_request', 'The body names another client_id than HTTP Basic.');
  }
  return basic;
}

function readBasic(authorization: string): ClientCredentials | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1] ?? '';
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const [, id, secret] = /^([^:]+):(.+)$/s.exec(decoded) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  const [pair] = new URLSearchParams(`${id}=${secret}`);
  return pair && { id: pair[0], secret: pair[1] };
}

/** @throws OAuthError `invalid_client` where the secret is no valid minted token, or that of another id. */
export function findClient({ id, secret }: ClientCredentials, tokens: TokenLookup): Principal {
  const found = tokens(hashToken(secret));
  if (typeof found === 'object' && found.kind === 'minted' && found.id === id) return found;
  throw new OAuthError('invalid_client', 'This client is not known, or its secret has ended.');
}

/**
 * The scopes that a client gets: what it asks for, or all of its own (RFC 6749 section 3.3).
 *
 * @throws OAuthError `invalid_scope` where it asks for more than its own.
 */
export function grantedScopes(client: Principal, scope: string | undefined): readonly string[] {
  const asked = new Set(scope?.split(' ').filter((one) => one !== ''));
  if (asked.size === 0) return client.scopes;
  if ([...asked].every((one) => covers(client.scopes, one))) return [...asked];
  throw new OAuthError('invalid_scope', 'A scope is not known here, or not among those of this client.');
}
