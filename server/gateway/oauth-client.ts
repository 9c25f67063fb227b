/** The grants, by oauth4webapi over our own wire; see docs/decisions/0013-remote-access.md. */
import * as oauth from 'oauth4webapi';
import { isLoopback } from '../../core/app/base-url.ts';
import { AccessFault, refusalOf } from './access-fault.ts';
import type { Endpoints, OAuthAuthentication } from './endpoints.ts';
import { importPrivateKey } from './private-key.ts';
import type { Wire } from './wire.ts';
import { ConnectionFault } from './remote-fault.ts';

export interface Grant {
  readonly token: string;
  /** Milliseconds since the epoch; absent where the server said nothing. */
  readonly ends?: number;
  readonly lifetime?: number;
  readonly refresh?: string;
}

export interface GrantParts {
  readonly endpoints: Endpoints;
  readonly authentication: OAuthAuthentication;
  readonly secret: string | undefined;
  readonly wire: Wire;
  /** Milliseconds for one request. */
  readonly time: number;
}

/** Scopes where none are typed. */
const scopes = { 'client-credentials': 'system/*.*', 'smart-backend': 'system/*.*' } as const;

const mostBytes = 256 * 1024;

/** A token for a client of its own: client secret, or a signed assertion (RFC 7523). */
export async function clientGrant(
  parts: GrantParts & { readonly authentication: { readonly kind: keyof typeof scopes } },
): Promise<Grant> {
  const { authentication } = parts;
  const parameters = { scope: authentication.scope ?? scopes[authentication.kind] };
  return grantOf(parts, async ({ server, client, options }, proof) => {
    const answer = await oauth.clientCredentialsGrantRequest(server, client, proof, parameters, options);
    return oauth.processClientCredentialsResponse(server, client, answer);
  });
}

/** A new token for the one who signed in (RFC 6749 section 6); without a new refresh token the old one stays. */
export async function refreshGrant(parts: GrantParts, refresh: string): Promise<Grant> {
  const grant = await grantOf(parts, async ({ server, client, options }, proof) => {
    const answer = await oauth.refreshTokenGrantRequest(server, client, proof, refresh, options);
    return oauth.processRefreshTokenResponse(server, client, answer);
  });
  return { refresh, ...grant };
}

/** What a sign-in was begun with, and its end must fit. */
export interface SignInSecrets {
  readonly state: string;
  readonly verifier: string;
  readonly redirect: string;
}

/**
 * The parameters that the browser brought back.
 *
 * @throws AccessFault where the server refused; `undefined` where they belong to no sign-in of ours.
 */
export function readCallback(parts: GrantParts, address: URL, state: string): URLSearchParams | undefined {
  const { server, client } = contextOf(parts);
  try {
    return oauth.validateAuthResponse(server, client, address, state);
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) throw refusalOf(error.error);
    return undefined;
  }
}

/** The token behind a code (RFC 6749 section 4.1.3, with the verifier of RFC 7636). */
export function codeGrant(
  parts: GrantParts,
  callback: URLSearchParams,
  { redirect, verifier }: SignInSecrets,
): Promise<Grant> {
  return grantOf(parts, async ({ server, client, options }, proof) => {
    const given = [callback, redirect, verifier] as const;
    const answer = await oauth.authorizationCodeGrantRequest(server, client, proof, ...given, options);
    return oauth.processAuthorizationCodeResponse(server, client, answer);
  });
}

function contextOf({ endpoints, authentication, wire, time }: GrantParts) {
  const server: oauth.AuthorizationServer = {
    issuer: endpoints.issuer,
    token_endpoint: endpoints.token,
    authorization_response_iss_parameter_supported: endpoints.issuerInResponse,
  };
  const options = {
    [oauth.customFetch]: fetchOver(wire),
    // Deprecated to make it stand out: an http endpoint came through the checks only where it is this machine's.
    // oxlint-disable-next-line typescript/no-deprecated
    [oauth.allowInsecureRequests]: isLoopback(new URL(endpoints.token).hostname),
    signal: () => AbortSignal.timeout(time),
  };
  return { server, client: { client_id: authentication.clientId }, options };
}

async function clientProof({ authentication, secret, endpoints }: GrantParts): Promise<oauth.ClientAuth> {
  if (authentication.kind === 'smart-backend') {
    const { keyId } = authentication;
    const key = await importPrivateKey(secret ?? '', authentication.algorithm);
    return oauth.PrivateKeyJwt(
      { key, ...(keyId !== undefined && { kid: keyId }) },
      {
        // SMART App Launch 2.2 client-confidential-asymmetric.html: the audience is the token endpoint.
        [oauth.modifyAssertion](header, payload) {
          header.typ = 'JWT';
          payload.aud = endpoints.token;
        },
      },
    );
  }
  if (secret === undefined) return oauth.None();
  const { methods } = endpoints;
  const post = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
  return post ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret);
}

/** `fetch` as oauth4webapi calls it: form bodies, no redirects. */
function fetchOver(wire: Wire) {
  return async (
    address: string,
    init: { method: string; headers: Record<string, string>; body?: unknown; signal?: AbortSignal },
  ): Promise<Response> => {
    const { method, headers, body, signal = AbortSignal.timeout(30_000) } = init;
    const answer = await wire.send({
      url: new URL(address),
      method,
      headers,
      ...(body instanceof URLSearchParams && { body: Buffer.from(body.toString()) }),
      signal,
      limit: mostBytes,
    });
    const type = answer.headers['content-type'];
    const bodiless = [204, 205, 304].includes(answer.status);
    return new Response(bodiless ? null : new Uint8Array(answer.body), {
      status: answer.status < 200 ? 502 : answer.status,
      ...(type !== undefined && { headers: { 'Content-Type': type } }),
    });
  };
}

async function grantOf(
  parts: GrantParts,
  ask: (
    context: ReturnType<typeof contextOf>,
    proof: oauth.ClientAuth,
  ) => Promise<oauth.TokenEndpointResponse>,
): Promise<Grant> {
  try {
    const answer = await ask(contextOf(parts), await clientProof(parts));
    const { access_token: token, expires_in: seconds, refresh_token: refresh } = answer;
    if (!/^[\x21-\x7e]+$/.test(token)) throw new AccessFault('The server gave a token that cannot be sent.');
    const lifetime = seconds === undefined ? undefined : seconds * 1000;
    return {
      token,
      ...(lifetime !== undefined && { lifetime, ends: Date.now() + lifetime }),
      ...(refresh !== undefined && { refresh }),
    };
  } catch (error) {
    if (error instanceof ConnectionFault) throw error;
    if (error instanceof oauth.ResponseBodyError) throw refusalOf(error.error);
    throw new AccessFault(
      'The token endpoint answered nothing that can be used. Check it in the connection.',
    );
  }
}
