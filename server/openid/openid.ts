/** The authorization code flow with PKCE, state and nonce (OpenID Connect Core 1.0 section 3.1), by openid-client. */
import * as client from 'openid-client';
import { isLoopback } from '../../core/app/base-url.ts';
import { providerLongest } from '../../core/app/sign-in.ts';
import type { Grant } from '../access/principal.ts';
import { hashToken, newToken } from '../access/secret.ts';
import { knownOAuthError } from './oauth-errors.ts';
import type { OpenIdSettings } from './openid-file.ts';
import { ownSignIns, signInTime, type SignInsUnderWay, type UnderWay } from './under-way.ts';

/** Where the provider sends people back to, below the server's base. */
export const callbackPath = '/app/openid/callback';

/** Seconds in which the provider has to answer. */
const patience = 10;

/** Why a sign-in gave nothing. */
export type OpenIdFault = 'no-answer' | 'not-begun-here' | 'refused-there' | 'not-fitting' | 'no-role';

/** `why` is a word of a standard or of the library, and nothing that came over the network. */
export type OpenIdEnd = { readonly grant: Grant } | { readonly fault: OpenIdFault; readonly why?: string };

export interface OpenId {
  /** Begins a sign-in of somebody in a network: where the browser goes, and the secret by which it is known when it comes back. */
  begin(
    network: string,
  ): Promise<{ readonly address: string; readonly browser: string } | { readonly fault: OpenIdFault }>;
  /** Ends the sign-in of a browser that came back with `query`. Each is ended once. */
  end(browser: string, query: string): Promise<OpenIdEnd>;
  /** Where the browser goes to end the provider's own session; undefined where the provider has no such address. */
  signOutAddress(): Promise<string | undefined>;
}

export interface OpenIdParts {
  readonly settings: OpenIdSettings;
  /** Absolute URL of this server without a trailing slash. */
  readonly base: () => string;
  readonly clock: () => number;
  /** Where sign-ins are kept until they end; in memory where absent. */
  readonly underWay?: SignInsUnderWay;
}

export function createOpenId({ settings, base, clock, underWay = ownSignIns() }: OpenIdParts): OpenId {
  let found: Promise<client.Configuration> | undefined;

  /** The provider's own description, asked for when it is first needed: one that is down keeps no server from starting. */
  function provider(): Promise<client.Configuration> {
    found ??= discover(settings).catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  }

  async function take(browser: string): Promise<UnderWay | undefined> {
    const one = await underWay.take(hashToken(browser));
    return one && one.begun + signInTime > clock() ? one : undefined;
  }

  return {
    async begin(network) {
      const [state, nonce, verifier] = [
        client.randomState(),
        client.randomNonce(),
        client.randomPKCECodeVerifier(),
      ];
      const browser = newToken();
      let address: URL;
      try {
        address = client.buildAuthorizationUrl(await provider(), {
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
      await underWay.add(hashToken(browser), { state, nonce, verifier, begun: clock() }, network);
      return { address: address.href, browser };
    },
    async end(browser, query) {
      const one = await take(browser);
      if (!one) return { fault: 'not-begun-here' };
      const address = new URL(base() + callbackPath);
      address.search = query;
      const until = clock() + providerLongest;
      try {
        const answer = await client.authorizationCodeGrant(await provider(), address, {
          expectedState: one.state,
          expectedNonce: one.nonce,
          pkceCodeVerifier: one.verifier,
          idTokenExpected: true,
        });
        const claims = answer.claims();
        const grant = claims && grantOf(claims, settings);
        return grant ? { grant: { ...grant, until } } : { fault: 'no-role' };
      } catch (error) {
        return faultOf(error);
      }
    },
    async signOutAddress() {
      try {
        const configuration = await provider();
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
      timeout: patience,
      // Deprecated to make it stand out: an http issuer is this machine's own.
      // oxlint-disable-next-line typescript/no-deprecated
      ...(isLoopback(url.hostname) && { execute: [client.allowInsecureRequests] }),
    },
  );
  // The signature of the ID token is checked too, though it came over TLS from whom it speaks for.
  client.enableNonRepudiationChecks(configuration);
  return configuration;
}

function faultOf(error: unknown): OpenIdEnd {
  if (error instanceof client.AuthorizationResponseError)
    return { fault: 'refused-there', why: knownOAuthError(error.error) };
  if (error instanceof client.ResponseBodyError)
    return { fault: 'not-fitting', why: knownOAuthError(error.error) };
  if (error instanceof client.ClientError) {
    const why = error.code ?? error.name;
    return { fault: ['OAUTH_TIMEOUT', 'OAUTH_ABORT'].includes(why) ? 'no-answer' : 'not-fitting', why };
  }
  return { fault: 'no-answer' };
}

type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

const mostName = 100;

/** Letters of the mark that tells two people of one name apart. */
const markLength = 8;

/**
 * What the claims of an ID token give: a session with the scopes of all roles that the table knows; undefined where it knows
 * none of them. A name is what the provider lets people write, so that a mark made of issuer and subject stands behind
 * it: nobody passes for another, or for `owner`.
 */
export function grantOf(claims: Claims, settings: OpenIdSettings): Grant | undefined {
  const { roles: table, nameClaim, roleClaim } = settings;
  const known = rolesIn(claims, [roleClaim].flat()).filter((role) => Object.hasOwn(table, role));
  const scopes = [...new Set(known.flatMap((role) => (table[role] ?? '').split(' ')))];
  if (scopes.length === 0) return undefined;
  const subject = hashToken(`${claims.iss} ${claims.sub}`);
  // A claim may be there and say nothing.
  const name = [claims[nameClaim], claims.sub].map(nameIn).find((one) => one !== '') ?? '';
  return { name: `${name.slice(0, mostName)} (${subject.slice(0, markLength)})`, scopes, subject };
}

/** Returns a claim as it can stand in a name; empty where it holds no character that is seen. */
function nameIn(claim: unknown): string {
  return typeof claim === 'string' ? claim.replaceAll(/\p{C}+/gu, ' ').trim() : '';
}

/** The texts at a claim; a provider with one role may send it without a list. */
function rolesIn(claims: Claims, path: readonly string[]): readonly string[] {
  const found = path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? Reflect.get(value, name)
        : undefined,
    claims,
  );
  return [found].flat().filter((one) => typeof one === 'string');
}
