/**
 * Small OpenID provider for tests on loopback: discovery, keys, code flow with PKCE, signed ID tokens.
 *
 * It checks the same as a real provider and responds wrongly if a test requests it.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { startPeer, type RecordedRequest } from '../../../gateway/testing/peer.ts';

export interface Issuer {
  readonly origin: string;
  /** Claims of the next person, in addition to the default claims. */
  claims: JWTPayload;
  /** True to sign the ID token with an unpublished key. */
  forges: boolean;
  /** True to deny the sign-in. */
  denies: boolean;
  /** True to drop all connections. */
  down: boolean;
  /** Error of the token endpoint for every request. Empty for none. */
  error: string;
  /** Rejected requests of the token endpoint. */
  readonly refusals: string[];
  close(): Promise<void>;
}

export const clientId = 'chartkeeper';
export const clientSecret = 'a client secret with : and +';

export async function startIssuer(): Promise<Issuer> {
  const [signingKeys, foreign] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
  const key = { ...(await exportJWK(signingKeys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const codes = new Map<string, URLSearchParams>();
  const peer = await startPeer((request, response) => {
    const { pathname } = new URL(request.url, 'http://x');
    if (issuer.down) response.socket?.destroy();
    else if (pathname === '/.well-known/openid-configuration') json(response, 200, configuration());
    else if (pathname === '/keys') json(response, 200, { keys: [key] });
    else if (pathname === '/authorize') authorize(request, response);
    else if (pathname === '/token') return token(request, response);
    else if (pathname === '/sign-out') page(response, 200, 'Signed out');
    // Browsers show their own error page for a response without content.
    else page(response, 404, 'Not found');
    return undefined;
  });
  const { origin } = peer;
  const issuer: Issuer = {
    origin,
    claims: {},
    forges: false,
    denies: false,
    down: false,
    error: '',
    refusals: [],
    close: () => peer.close(),
  };
  return issuer;

  function configuration() {
    return {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      jwks_uri: `${origin}/keys`,
      end_session_endpoint: `${origin}/sign-out`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }

  function authorize({ url }: RecordedRequest, response: ServerResponse): void {
    const parameters = new URL(url, origin).searchParams;
    const returnUrl = new URL(parameters.get('redirect_uri') ?? '');
    returnUrl.searchParams.set('state', parameters.get('state') ?? '');
    if (issuer.denies) returnUrl.searchParams.set('error', 'access_denied');
    else {
      const code = randomBytes(16).toString('hex');
      codes.set(code, parameters);
      returnUrl.searchParams.set('code', code);
    }
    response.writeHead(302, { Location: returnUrl.href }).end();
  }

  async function token({ headers, body }: RecordedRequest, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(body.toString());
    const parameters = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const [id, secret] = Buffer.from(headers.authorization?.slice('Basic '.length) ?? '', 'base64')
      .toString()
      .split(':')
      .map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
    const isValid =
      parameters?.get('code_challenge') === challenge &&
      parameters.get('redirect_uri') === form.get('redirect_uri') &&
      parameters.get('client_id') === id;
    if (!isValid || secret !== clientSecret || issuer.error !== '') {
      issuer.refusals.push(form.get('grant_type') ?? '');
      json(response, 400, { error: issuer.error || 'invalid_grant' });
      return;
    }
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: origin,
      sub: 'subject-1',
      aud: clientId,
      iat: now,
      exp: now + 300,
      nonce: parameters.get('nonce') ?? '',
      preferred_username: 'a.miller',
      roles: ['steward'],
      ...issuer.claims,
    };
    const idToken = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign(issuer.forges ? foreign.privateKey : signingKeys.privateKey);
    json(response, 200, { access_token: 'unused', token_type: 'Bearer', id_token: idToken });
  }
}

function page(response: ServerResponse, status: number, title: string): void {
  response
    .writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' })
    .end(`<!doctype html><title>${title}</title><h1>${title}</h1>`);
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}
