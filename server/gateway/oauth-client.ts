/** OAuth 2.0 grants, by oauth4webapi over our own transport. See docs/decisions/0013-remote-access.md. */
import * as oauth from 'oauth4webapi';
import { isLoopback } from '../../core/app/base-url.ts';
import { defineMessages } from '../../core/text/message.ts';
import { AccessError, toRejection } from './access-error.ts';
import type { Endpoints, OAuthAuthentication } from './endpoints.ts';
import { importPrivateKey } from './private-key.ts';
import type { HttpTransport } from './http-transport.ts';
import { ConnectionError } from './remote-error.ts';

const messages = defineMessages('gateway.oauth', {
  unsendableToken: 'The server issued a token that can’t be sent.',
  unusableAnswer: 'The token endpoint returned nothing usable. Check it in the connection.',
});

export interface Grant {
  readonly token: string;
  /** Milliseconds since the epoch; absent if the server gives none. */
  readonly endsAtMs?: number;
  readonly lifetime?: number;
  readonly refresh?: string;
}

export interface GrantParts {
  readonly endpoints: Endpoints;
  readonly authentication: OAuthAuthentication;
  readonly secret: string | undefined;
  readonly wire: HttpTransport;
  /** Milliseconds for one request. */
  readonly time: number;
}

/** Default scopes. */
const scopes = { 'client-credentials': 'system/*.*', 'smart-backend': 'system/*.*' } as const;

const mostBytes = 256 * 1024;

/** A token for a client of its own: client secret, or a signed assertion (RFC 7523). */
export async function clientGrant(
  dependencies: GrantParts & { readonly authentication: { readonly kind: keyof typeof scopes } },
): Promise<Grant> {
  const { authentication } = dependencies;
  const parameters = { scope: authentication.scope ?? scopes[authentication.kind] };
  return grantOf(dependencies, async ({ server, client, options }, proof) => {
    const response = await oauth.clientCredentialsGrantRequest(server, client, proof, parameters, options);
    return oauth.processClientCredentialsResponse(server, client, response);
  });
}

/** Refreshes the token (RFC 6749 section 6). Without a new refresh token the old one stays valid. */
export async function refreshGrant(dependencies: GrantParts, refresh: string): Promise<Grant> {
  const grant = await grantOf(dependencies, async ({ server, client, options }, proof) => {
    const response = await oauth.refreshTokenGrantRequest(server, client, proof, refresh, options);
    return oauth.processRefreshTokenResponse(server, client, response);
  });
  return { refresh, ...grant };
}

/** Values of a started sign-in that its callback must match. */
export interface SignInSecrets {
  readonly state: string;
  readonly verifier: string;
  readonly redirect: string;
}

/**
 * Returns the callback parameters; undefined if they belong to another sign-in.
 *
 * @throws AccessError if the server denied access.
 */
export function readCallback(
  dependencies: GrantParts,
  address: URL,
  state: string,
): URLSearchParams | undefined {
  const { server, client } = contextOf(dependencies);
  try {
    return oauth.validateAuthResponse(server, client, address, state);
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) throw toRejection(error.error);
    return undefined;
  }
}

/** Exchanges a code for a token (RFC 6749 section 4.1.3, with the verifier of RFC 7636). */
export function codeGrant(
  dependencies: GrantParts,
  callback: URLSearchParams,
  { redirect, verifier }: SignInSecrets,
): Promise<Grant> {
  return grantOf(dependencies, async ({ server, client, options }, proof) => {
    const codeArguments = [callback, redirect, verifier] as const;
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      proof,
      ...codeArguments,
      options,
    );
    return oauth.processAuthorizationCodeResponse(server, client, response);
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
    // Marked deprecated to stand out. An http endpoint passes the checks only on loopback.
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
function fetchOver(wire: HttpTransport) {
  return async (
    address: string,
    init: { method: string; headers: Record<string, string>; body?: unknown; signal?: AbortSignal },
  ): Promise<Response> => {
    const { method, headers, body, signal = AbortSignal.timeout(30_000) } = init;
    const response = await wire.send({
      url: new URL(address),
      method,
      headers,
      ...(body instanceof URLSearchParams && { body: Buffer.from(body.toString()) }),
      signal,
      limit: mostBytes,
    });
    const type = response.headers['content-type'];
    const bodiless = [204, 205, 304].includes(response.status);
    return new Response(bodiless ? null : new Uint8Array(response.body), {
      status: response.status < 200 ? 502 : response.status,
      ...(type !== undefined && { headers: { 'Content-Type': type } }),
    });
  };
}

async function grantOf(
  dependencies: GrantParts,
  ask: (
    context: ReturnType<typeof contextOf>,
    proof: oauth.ClientAuth,
  ) => Promise<oauth.TokenEndpointResponse>,
): Promise<Grant> {
  try {
    const response = await ask(contextOf(dependencies), await clientProof(dependencies));
    const { access_token: token, expires_in: seconds, refresh_token: refresh } = response;
    if (!/^[\x21-\x7e]+$/.test(token)) throw new AccessError(messages.unsendableToken());
    const lifetime = seconds === undefined ? undefined : seconds * 1000;
    return {
      token,
      ...(lifetime !== undefined && { lifetime, endsAtMs: Date.now() + lifetime }),
      ...(refresh !== undefined && { refresh }),
    };
  } catch (error) {
    if (error instanceof ConnectionError) throw error;
    if (error instanceof oauth.ResponseBodyError) throw toRejection(error.error);
    throw new AccessError(messages.unusableAnswer());
  }
}
