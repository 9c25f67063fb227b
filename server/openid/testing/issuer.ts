/**
 * A small OpenID provider of the tests, on loopback: discovery, keys, code flow with PKCE, signed ID tokens. It checks what a
 * real one checks, and says something wrong where a test tells it to.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { startPeer, type Seen } from '../../gateway/testing/peer.ts';

export interface Issuer {
  readonly origin: string;
  /** Claims of the person who signs in next, over the usual ones. */
  claims: JWTPayload;
  /** What the ID token is signed with, where that is not the key that is told. */
  forges: boolean;
  /** Whether the person is let through. */
  denies: boolean;
  /** Whether it answers at all. */
  down: boolean;
  /** Requests of the token endpoint that were refused. */
  readonly refusals: string[];
  close(): Promise<void>;
}

export const clientId = 'chartkeeper';
export const clientSecret = 'a client secret with : and +';

export async function startIssuer(): Promise<Issuer> {
  const [own, foreign] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
  const key = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const codes = new Map<string, URLSearchParams>();
  const peer = await startPeer((seen, response) => {
    const { pathname } = new URL(seen.url, 'http://x');
    if (issuer.down) response.socket?.destroy();
    else if (pathname === '/.well-known/openid-configuration') json(response, 200, configuration());
    else if (pathname === '/keys') json(response, 200, { keys: [key] });
    else if (pathname === '/authorize') authorize(seen, response);
    else if (pathname === '/token') return token(seen, response);
    else if (pathname === '/sign-out') page(response, 200, 'Signed out');
    // A browser shows an error page of its own for an answer without content.
    else page(response, 404, 'Not found');
    return undefined;
  });
  const { origin } = peer;
  const issuer: Issuer = {
    ...{ origin, claims: {}, forges: false, denies: false, down: false, refusals: [] },
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

  function authorize({ url }: Seen, response: ServerResponse): void {
    const asked = new URL(url, origin).searchParams;
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('state', asked.get('state') ?? '');
    if (issuer.denies) back.searchParams.set('error', 'access_denied');
    else {
      const code = randomBytes(16).toString('hex');
      codes.set(code, asked);
      back.searchParams.set('code', code);
    }
    response.writeHead(302, { Location: back.href }).end();
  }

  async function token({ headers, body }: Seen, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(body.toString());
    const asked = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const [id, secret] = Buffer.from(headers.authorization?.slice('Basic '.length) ?? '', 'base64')
      .toString()
      .split(':')
      .map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
    const sound =
      asked?.get('code_challenge') === challenge &&
      asked.get('redirect_uri') === form.get('redirect_uri') &&
      asked.get('client_id') === id;
    if (!sound || secret !== clientSecret) {
      issuer.refusals.push(form.get('grant_type') ?? '');
      json(response, 400, { error: 'invalid_grant' });
      return;
    }
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      ...{ iss: origin, sub: 'subject-1', aud: clientId, iat: now, exp: now + 300 },
      ...{ nonce: asked.get('nonce') ?? '', preferred_username: 'a.miller', roles: ['steward'] },
      ...issuer.claims,
    };
    const idToken = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign(issuer.forges ? foreign.privateKey : own.privateKey);
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
