import * as v from 'valibot';
import type { Authentication } from '../../core/app/connections.ts';
import { isLoopback } from '../../core/app/base-url.ts';
import { parseAs } from '../../core/json/shape.ts';
import { defineMessages } from '../../core/text/message.ts';
import { AccessError } from './access-error.ts';
import type { HttpTransport } from './http-transport.ts';

export type OAuthAuthentication = Exclude<Authentication, { kind: 'none' | 'bearer' }>;

/** Endpoints that issue tokens, and how a client authenticates there. */
export interface Endpoints {
  readonly issuer: string;
  readonly token: string;
  readonly authorization: string | undefined;
  /** `token_endpoint_auth_methods_supported`; empty if the server announces none. */
  readonly methods: readonly string[];
  readonly issuerInResponse: boolean;
}

const messages = defineMessages('gateway.endpoints', {
  noConfiguration:
    'The server has no SMART configuration (.well-known/smart-configuration). Enter the endpoints in the connection.',
  noTokenEndpoint:
    'The server’s SMART configuration has no usable (https) token endpoint. Enter it in the connection.',
  noAuthorizationEndpoint:
    'The server’s SMART configuration has no usable (https) authorization endpoint. Enter it in the connection.',
});

const mostBytes = 256 * 1024;

/**
 * Returns the endpoints of a connection: the entered endpoints, otherwise the endpoints of the SMART configuration
 * below the base URL (SMART App Launch 2.2 conformance.html).
 *
 * @throws AccessError if an endpoint is missing; RemoteError if the server does not respond.
 */
export async function findEndpoints(
  base: string,
  authentication: OAuthAuthentication,
  wire: HttpTransport,
  signal: AbortSignal,
): Promise<Endpoints> {
  const { tokenEndpoint } = authentication;
  const enteredEndpoint =
    authentication.kind === 'authorization-code' ? authentication.authorizationEndpoint : undefined;
  const complete = authentication.kind !== 'authorization-code' || enteredEndpoint !== undefined;
  if (tokenEndpoint !== undefined && complete) {
    const issuer = new URL(tokenEndpoint).origin;
    return {
      issuer,
      token: tokenEndpoint,
      authorization: enteredEndpoint,
      methods: [],
      issuerInResponse: false,
    };
  }
  const configuration = await readConfiguration(base, wire, signal);
  const token = checked(tokenEndpoint ?? configuration.token_endpoint, base);
  if (token === undefined) throw new AccessError(messages.noTokenEndpoint());
  const authorization = checked(enteredEndpoint ?? configuration.authorization_endpoint, base);
  if (authentication.kind === 'authorization-code' && authorization === undefined) {
    throw new AccessError(messages.noAuthorizationEndpoint());
  }
  const { issuer } = configuration;
  return {
    issuer: issuer !== undefined && URL.canParse(issuer) ? issuer : new URL(token).origin,
    token,
    authorization,
    methods: configuration.token_endpoint_auth_methods_supported,
    issuerInResponse: configuration.authorization_response_iss_parameter_supported,
  };
}

const Text = v.fallback(v.optional(v.string()), undefined);

/** Members of a SMART configuration that are read. A member of another type counts as missing. */
const SmartConfiguration = v.object({
  issuer: Text,
  token_endpoint: Text,
  authorization_endpoint: Text,
  token_endpoint_auth_methods_supported: v.fallback(v.array(v.string()), []),
  authorization_response_iss_parameter_supported: v.fallback(v.boolean(), false),
});

async function readConfiguration(
  base: string,
  wire: HttpTransport,
  signal: AbortSignal,
): Promise<v.InferOutput<typeof SmartConfiguration>> {
  const url = new URL(`${base}/.well-known/smart-configuration`);
  const headers = { Accept: 'application/json' };
  const { status, body } = await wire.send({ url, method: 'GET', headers, signal, limit: mostBytes });
  const configuration = status === 200 ? parseAs(SmartConfiguration, body.toString('utf8')) : undefined;
  if (configuration) return configuration;
  throw new AccessError(messages.noConfiguration());
}

/** Returns an endpoint that may receive secrets: https, or loopback if the server itself is on loopback. */
function checked(address: string | undefined, base: string): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '' || url.hash !== '') return undefined;
  const near = [url, new URL(base)].every(({ hostname }) => isLoopback(hostname));
  return url.protocol === 'https:' || (url.protocol === 'http:' && near) ? url.href : undefined;
}
