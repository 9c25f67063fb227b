/** The client credentials grant (RFC 6749 section 4.4), independent of HTTP. */
import { covers } from '../../core/app/scopes.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import type { Principal, TokenLookup } from './principal.ts';
import { hashToken } from './secret.ts';

/** Descriptions of OAuth errors. RFC 6749 section 5.2 allows ASCII only, so no typographic apostrophe. */
const messages = defineMessages('oauth', {
  repeatedParameter: 'Duplicate parameter in the body.',
  grantTypeMissing: 'Send grant_type=client_credentials in the form body.',
  grantTypeUnsupported: 'Only grant_type=client_credentials is supported.',
  credentialsMissing: 'Send client_id and client_secret, in HTTP Basic or in the body.',
  repeatedSecret: 'Send the client secret only once.',
  invalidBasic: 'The Authorization header is not valid HTTP Basic.',
  otherClientId: 'The client_id in the body differs from the one in HTTP Basic.',
  unknownClient: 'Unknown client, or its secret has expired.',
  scopeNotGranted: 'Unknown scope, or not one of this client.',
});

type OAuthCode = 'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'invalid_scope';

/** An error response of the token endpoint (RFC 6749 section 5.2). */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthCode;

  constructor(code: OAuthCode, description: Message) {
    super(description.text);
    this.code = code;
  }

  get status(): 400 | 401 {
    return this.code === 'invalid_client' ? 401 : 400;
  }
}

/** Client credentials: the id of a created token and the token itself as the secret. */
export interface ClientCredentials {
  readonly id: string;
  readonly secret: string;
}

/**
 * Returns the parameters of a form body. An empty value counts as missing.
 *
 * @throws OAuthError `invalid_request` for a repeated parameter (RFC 6749 section 3.2).
 */
export function readForm(text: string): ReadonlyMap<string, string> {
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (form.has(name)) throw new OAuthError('invalid_request', messages.repeatedParameter());
    if (value !== '') form.set(name, value);
  }
  return form;
}

/**
 * Checks the grant type.
 *
 * @throws OAuthError `invalid_request` if it is missing, `unsupported_grant_type` for another type.
 */
export function assertGrantType(form: ReadonlyMap<string, string>): void {
  const type = form.get('grant_type');
  if (type === undefined) {
    throw new OAuthError('invalid_request', messages.grantTypeMissing());
  }
  if (type !== 'client_credentials') {
    throw new OAuthError('unsupported_grant_type', messages.grantTypeUnsupported());
  }
}

/**
 * Reads the client credentials from HTTP Basic or the body (RFC 6749 section 2.3.1).
 *
 * @throws OAuthError `invalid_request` if both are sent, `invalid_client` if none are.
 */
export function readCredentials(
  authorization: string | undefined,
  form: ReadonlyMap<string, string>,
): ClientCredentials {
  const secret = form.get('client_secret');
  if (authorization === undefined) {
    const id = form.get('client_id');
    if (id !== undefined && secret !== undefined) return { id, secret };
    throw new OAuthError('invalid_client', messages.credentialsMissing());
  }
  if (secret !== undefined) {
    throw new OAuthError('invalid_request', messages.repeatedSecret());
  }
  const basic = readBasic(authorization);
  if (!basic) throw new OAuthError('invalid_client', messages.invalidBasic());
  if ((form.get('client_id') ?? basic.id) !== basic.id) {
    throw new OAuthError('invalid_request', messages.otherClientId());
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

/**
 * Returns the principal of a client.
 *
 * @throws OAuthError `invalid_client` if the secret is no valid created token with this id.
 */
export function findClient({ id, secret }: ClientCredentials, tokens: TokenLookup): Principal {
  const principal = tokens(hashToken(secret));
  if (typeof principal === 'object' && principal.kind === 'minted' && principal.id === id) return principal;
  throw new OAuthError('invalid_client', messages.unknownClient());
}

/**
 * Returns the requested scopes of a client, or all of its scopes (RFC 6749 section 3.3).
 *
 * @throws OAuthError `invalid_scope` for a scope that the client lacks.
 */
export function selectGrantedScopes(client: Principal, scope: string | undefined): readonly string[] {
  const requested = new Set(scope?.split(' ').filter((part) => part !== ''));
  if (requested.size === 0) return client.scopes;
  if ([...requested].every((requestedScope) => covers(client.scopes, requestedScope))) return [...requested];
  throw new OAuthError('invalid_scope', messages.scopeNotGranted());
}
