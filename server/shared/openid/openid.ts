/**
 * Authorization code flow with PKCE, state and nonce (OpenID Connect Core 1.0 section 3.1), based on
 * openid-client.
 */
import * as client from 'openid-client';
import { isLoopback } from '../../../core/app/base-url.ts';
import { providerLongest } from '../../../core/app/sign-in.ts';
import type { Grant } from '../../access/principal.ts';
import { hashToken, createToken } from '../../access/secret.ts';
import type { OpenIdSettings } from './openid-file.ts';
import {
  createLocalSignIns,
  signInTimeoutMs,
  type PendingSignIns,
  type PendingSignIn,
} from './pending-sign-ins.ts';

/** Path below the server's base to which the provider returns people. */
export const callbackPath = '/app/openid/callback';

/** Seconds until a request to the provider times out. */
const timeoutSeconds = 10;

/** Reason of a failed sign-in. */
export type OpenIdErrorCode = 'no-answer' | 'not-begun-here' | 'refused-there' | 'not-fitting' | 'no-role';

/** Result of a sign-in. `why` is a standard code or a code of the library, never text from the network. */
export type SignInResult =
  | { readonly grant: Grant }
  | { readonly fault: OpenIdErrorCode; readonly reason?: string };

export interface OpenId {
  /**
   * Starts a sign-in. Returns the provider address and the secret that identifies the browser on its return.
   */
  start(
    network: string,
  ): Promise<{ readonly address: string; readonly browser: string } | { readonly fault: OpenIdErrorCode }>;
  /** Completes the sign-in of a returning browser. Each sign-in completes once. */
  finish(browser: string, query: string): Promise<SignInResult>;
  /** Returns the address that ends the provider's own session. Undefined if the provider has none. */
  signOutAddress(): Promise<string | undefined>;
}

export interface OpenIdDependencies {
  readonly settings: OpenIdSettings;
  /** Absolute URL of this server without a trailing slash. */
  readonly base: () => string;
  readonly clock: () => number;
  /** Store of pending sign-ins. In memory by default. */
  readonly pendingSignIns?: PendingSignIns;
}

export function createOpenId({
  settings,
  base,
  clock,
  pendingSignIns = createLocalSignIns(),
}: OpenIdDependencies): OpenId {
  let discovered: Promise<client.Configuration> | undefined;

  /** Discovers the provider on first use, so that an unavailable provider does not prevent the start. */
  function getConfiguration(): Promise<client.Configuration> {
    discovered ??= discover(settings).catch((error: unknown) => {
      discovered = undefined;
      throw error;
    });
    return discovered;
  }

  async function takePending(browser: string): Promise<PendingSignIn | undefined> {
    const signIn = await pendingSignIns.take(hashToken(browser));
    return signIn && signIn.begun + signInTimeoutMs > clock() ? signIn : undefined;
  }

  return {
    async start(network) {
      const [state, nonce, verifier] = [
        client.randomState(),
        client.randomNonce(),
        client.randomPKCECodeVerifier(),
      ];
      const browser = createToken();
      let address: URL;
      try {
        address = client.buildAuthorizationUrl(await getConfiguration(), {
          redirect_uri: base() + callbackPath,
          scope: settings.scope,
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        });
      } catch {
        return { fault: 'no-answer' };
      }
      await pendingSignIns.add(hashToken(browser), { state, nonce, verifier, begun: clock() }, network);
      return { address: address.href, browser };
    },
    async finish(browser, query) {
      const signIn = await takePending(browser);
      if (!signIn) return { fault: 'not-begun-here' };
      const address = new URL(base() + callbackPath);
      address.search = query;
      const until = clock() + providerLongest;
      try {
        const tokens = await client.authorizationCodeGrant(await getConfiguration(), address, {
          expectedState: signIn.state,
          expectedNonce: signIn.nonce,
          pkceCodeVerifier: signIn.verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        const grant = claims && toGrant(claims, settings);
        return grant ? { grant: { ...grant, until } } : { fault: 'no-role' };
      } catch (error) {
        return toFailure(error);
      }
    },
    async signOutAddress() {
      try {
        const configuration = await getConfiguration();
        if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
        return client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: `${base()}/` }).href;
      } catch {
        return undefined;
      }
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<client.Configuration> {
  const url = new URL(issuer);
  const configuration = await client.discovery(
    url,
    clientId,
    undefined,
    clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret),
    {
      timeout: timeoutSeconds,
      // Deprecated to make it stand out: an http issuer is this machine's own.
      // oxlint-disable-next-line typescript/no-deprecated
      ...(isLoopback(url.hostname) && { execute: [client.allowInsecureRequests] }),
    },
  );
  // Checks the signature of the ID token, although it arrived over TLS from its issuer.
  client.enableNonRepudiationChecks(configuration);
  return configuration;
}

function toFailure(error: unknown): SignInResult {
  if (error instanceof client.AuthorizationResponseError)
    return { fault: 'refused-there', reason: normalizeOAuthError(error.error) };
  if (error instanceof client.ResponseBodyError)
    return { fault: 'not-fitting', reason: normalizeOAuthError(error.error) };
  if (error instanceof client.ClientError) {
    const reason = error.code ?? error.name;
    return {
      fault: ['OAUTH_TIMEOUT', 'OAUTH_ABORT'].includes(reason) ? 'no-answer' : 'not-fitting',
      reason: reason,
    };
  }
  return { fault: 'no-answer' };
}

type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

const maxNameLength = 100;

/** Letters of the suffix that distinguishes people with the same name. */
const suffixLength = 8;

/**
 * Returns the grant of an ID token with the scopes of all known roles. Undefined without a known role.
 *
 * People choose their names at the provider. A suffix from issuer and subject prevents impersonation, also
 * of `owner`.
 */
export function toGrant(claims: Claims, settings: OpenIdSettings): Grant | undefined {
  const { roles: scopesByRole, nameClaim, roleClaim } = settings;
  const knownRoles = listRoles(claims, [roleClaim].flat()).filter((role) =>
    Object.hasOwn(scopesByRole, role),
  );
  const scopes = [...new Set(knownRoles.flatMap((role) => (scopesByRole[role] ?? '').split(' ')))];
  if (scopes.length === 0) return undefined;
  const subject = hashToken(`${claims.iss} ${claims.sub}`);
  // A claim may exist without content.
  const name = [claims[nameClaim], claims.sub].map(cleanName).find((candidate) => candidate !== '') ?? '';
  return { name: `${name.slice(0, maxNameLength)} (${subject.slice(0, suffixLength)})`, scopes, subject };
}

/** Returns a claim without control characters. Empty if nothing visible remains. */
function cleanName(claim: unknown): string {
  return typeof claim === 'string' ? claim.replaceAll(/\p{C}+/gu, ' ').trim() : '';
}

/** Returns the roles of a claim. A provider may send a single role without a list. */
function listRoles(claims: Claims, path: readonly string[]): readonly string[] {
  const claim = path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? Reflect.get(value, name)
        : undefined,
    claims,
  );
  return [claim].flat().filter((role) => typeof role === 'string');
}

/**
 * Error codes of OAuth 2.0 and OpenID Connect. Other texts of a provider or an address are never repeated.
 */
const standardErrors = new Set([
  // RFC 6749 sections 4.1.2.1 and 5.2.
  'access_denied',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  // OpenID Connect Core 1.0 section 3.1.2.6.
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'invalid_request_object',
  'invalid_request_uri',
  'login_required',
  'registration_not_supported',
  'request_not_supported',
  'request_uri_not_supported',
]);

/** Returns a standard error code unchanged and another text as `another error`. */
function normalizeOAuthError(error: string): string {
  return standardErrors.has(error) ? error : 'another error';
}
