import * as v from 'valibot';
import type { Authentication } from '../../core/app/connections.ts';
import { isLoopback } from '../../core/app/base-url.ts';
import { parseAs } from '../../core/json/shape.ts';
import { AccessFault } from './access-fault.ts';
import type { Wire } from './wire.ts';

export type OAuthAuthentication = Exclude<Authentication, { kind: 'none' | 'bearer' }>;

/** Where tokens come from, and what is said there about how a client names itself. */
export interface Endpoints {
  readonly issuer: string;
  readonly token: string;
  readonly authorization: string | undefined;
  /** `token_endpoint_auth_methods_supported`; empty where nothing is said. */
  readonly methods: readonly string[];
  readonly issuerInResponse: boolean;
}

const mostBytes = 256 * 1024;

/**
 * The endpoints of a connection: typed ones, else those of its SMART configuration (SMART App Launch 2.2
 * conformance.html), which stands below the base URL.
 *
 * @throws AccessFault where they are not to be found, RemoteFault where no answer came.
 */
export async function findEndpoints(
  base: string,
  authentication: OAuthAuthentication,
  wire: Wire,
  signal: AbortSignal,
): Promise<Endpoints> {
  const { tokenEndpoint } = authentication;
  const typed =
    authentication.kind === 'authorization-code' ? authentication.authorizationEndpoint : undefined;
  const complete = authentication.kind !== 'authorization-code' || typed !== undefined;
  if (tokenEndpoint !== undefined && complete) {
    const issuer = new URL(tokenEndpoint).origin;
    return { issuer, token: tokenEndpoint, authorization: typed, methods: [], issuerInResponse: false };
  }
  const found = await readConfiguration(base, wire, signal);
  const token = checked(tokenEndpoint ?? found.token_endpoint, base);
  if (token === undefined) throw notFound('token');
  const authorization = checked(typed ?? found.authorization_endpoint, base);
  if (authentication.kind === 'authorization-code' && authorization === undefined)
    throw notFound('authorization');
  const { issuer } = found;
  return {
    issuer: issuer !== undefined && URL.canParse(issuer) ? issuer : new URL(token).origin,
    token,
    authorization,
    methods: found.token_endpoint_auth_methods_supported,
    issuerInResponse: found.authorization_response_iss_parameter_supported,
  };
}

const Text = v.fallback(v.optional(v.string()), undefined);

/** What is read of a SMART configuration; a member that is something else counts as absent. */
const SmartConfiguration = v.object({
  issuer: Text,
  token_endpoint: Text,
  authorization_endpoint: Text,
  token_endpoint_auth_methods_supported: v.fallback(v.array(v.string()), []),
  authorization_response_iss_parameter_supported: v.fallback(v.boolean(), false),
});

async function readConfiguration(
  base: string,
  wire: Wire,
  signal: AbortSignal,
): Promise<v.InferOutput<typeof SmartConfiguration>> {
  const url = new URL(`${base}/.well-known/smart-configuration`);
  const headers = { Accept: 'application/json' };
  const { status, body } = await wire.send({ url, method: 'GET', headers, signal, limit: mostBytes });
  const found = status === 200 ? parseAs(SmartConfiguration, body.toString('utf8')) : undefined;
  if (found) return found;
  throw new AccessFault(
    'The server has no SMART configuration (.well-known/smart-configuration). Enter the endpoints in the connection.',
  );
}

/** An endpoint that secrets may go to: https, or this machine where the server itself is on it. */
function checked(address: string | undefined, base: string): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '' || url.hash !== '') return undefined;
  const near = [url, new URL(base)].every(({ hostname }) => isLoopback(hostname));
  return url.protocol === 'https:' || (url.protocol === 'http:' && near) ? url.href : undefined;
}

function notFound(name: string): AccessFault {
  return new AccessFault(
    `The server's SMART configuration names no ${name} endpoint that may be used (https). Enter it in the connection.`,
  );
}
