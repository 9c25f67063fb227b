import { mediaType } from '../../core/api/contract.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import { ownNames } from '../listener.ts';
import type { ServerSettings } from '../settings.ts';
import type { Guard } from './request.ts';

const messages = defineMessages('guard', {
  invalidHost: 'Send exactly one Host header.',
  unknownHost: 'This server doesn’t answer to this host name. Add it with --allow-host.',
  foreignOrigin: 'Requests from other origins are refused. Allow one with --allow-origin.',
});

/** Host names and origins that the guard accepts. */
export interface AllowedSources {
  /** Host names of the server at its own port. */
  readonly ownHosts: readonly string[];
  /** In lower case, with a port, or without for every port. */
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  /** Paths that accept a navigation from another site. */
  readonly landings: readonly string[];
}

/** Returns the accepted names and origins of the settings. A public URL counts as the server itself. */
export function getAllowedSources(
  { listen, publicUrl, allowHosts, allowOrigins, landings }: ServerSettings,
  furtherLandings: readonly string[] = [],
): AllowedSources {
  const published = publicUrl === undefined ? [] : [new URL(publicUrl)];
  return {
    ownHosts: ownNames(listen),
    hosts: [...allowHosts.map((name) => name.toLowerCase()), ...published.map(({ host }) => host)],
    origins: [...allowOrigins, ...published.map(({ origin }) => origin)],
    landings: [...landings, ...furtherLandings],
  };
}

/**
 * Creates the guard against DNS rebinding and cross-site requests. It runs before all other checks.
 *
 * Accepts exactly one Host header that names this server (RFC 9112 section 3.2), and no page of another
 * origin.
 */
export function createOriginGuard(allowedSources: AllowedSources): Guard {
  return (request) => {
    const { url: target, incoming } = request;
    const port = incoming.socket.localPort ?? 0;
    const listValues = (name: string) => listHeaderValues(incoming.rawHeaders, name);
    const [host, ...furtherHosts] = listValues('host').map((value) => value.toLowerCase());
    if (host === undefined || furtherHosts.length > 0) {
      throw new FhirError('malformed', { ...messages.invalidHost(), location: 'http.Host' });
    }
    // An absolute request target overrides the Host header (RFC 9112 section 3.2.2).
    const namedHosts = target.startsWith('/') ? [host] : [host, findAuthority(target) ?? host];
    if (!namedHosts.every((name) => isAllowed(name, port, allowedSources))) {
      throw new FhirError('forbidden', {
        ...messages.unknownHost(),
        location: 'http.Host',
      });
    }
    const [origins, sites] = [listValues('origin'), listValues('sec-fetch-site')];
    if (origins.length === 0 && sites.length === 0) return;
    const path = target.split('?')[0] ?? '';
    const isLanding =
      listValues('sec-fetch-mode').join() === 'navigate' && allowedSources.landings.includes(path);
    if (isLanding && origins.length === 0) return;
    const ownHosts = allowedSources.ownHosts.map((name) => `${name}:${port}`);
    const foreignOrigins = origins.filter((origin) => !allowedSources.origins.includes(origin));
    const isInvited = origins.length > 0 && foreignOrigins.length === 0;
    const listOwnOrigins = () =>
      [...ownHosts, host].flatMap((hostName) => [`http://${hostName}`, `https://${hostName}`]);
    if (
      (sites.includes('cross-site') && !isInvited) ||
      foreignOrigins.some((origin) => !listOwnOrigins().includes(origin))
    ) {
      throw new FhirError('forbidden', {
        ...messages.foreignOrigin(),
        location: 'http.Origin',
      });
    }
  };
}

function isAllowed(host: string, port: number, { ownHosts, hosts }: AllowedSources): boolean {
  return (
    ownHosts.some((name) => host === `${name}:${port}`) ||
    hosts.some((pattern) => pattern === host || pattern === host.replace(/:[0-9]+$/, ''))
  );
}

function findAuthority(target: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(target)?.[1]?.toLowerCase();
}

function listHeaderValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const headerName = rawHeaders[index] ?? '';
    // Comparing lengths first is faster.
    if (headerName.length === name.length && headerName.toLowerCase() === name)
      values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}

/** Rejects an invalid percent escape before authentication. */
export const addressGuard: Guard = ({ url }) => {
  if (url.includes('%')) decodeURIComponent(url);
};

const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Accept',
  'If-Match',
  'If-None-Match',
  'If-None-Exist',
  'Prefer',
  'X-Provenance',
  'X-Request-Id',
];

const exposedHeaders = [
  'ETag',
  'Location',
  'Last-Modified',
  'X-Request-Id',
  'Preference-Applied',
  'WWW-Authenticate',
  'Retry-After',
];

/** Seconds that a browser may cache a preflight response. */
const maxAgeSeconds = 600;

/**
 * Creates the CORS guard (fetch.spec.whatwg.org section 3.2). Without origins it sends no CORS header.
 *
 * Credentials are never allowed: tokens are in Authorization only.
 */
export function createCorsGuard(allowOrigins: readonly string[]): Guard {
  return ({ method, headers, responseHeaders }) => {
    if (allowOrigins.length > 0) responseHeaders.Vary = 'Origin';
    const { origin } = headers;
    if (origin === undefined || !allowOrigins.includes(origin)) return;
    responseHeaders['Access-Control-Allow-Origin'] = origin;
    responseHeaders['Access-Control-Expose-Headers'] = exposedHeaders.join(', ');
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return;
    return {
      status: 204,
      headers: {
        'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, OPTIONS',
        'Access-Control-Allow-Headers': allowedHeaders.join(', '),
        'Access-Control-Max-Age': String(maxAgeSeconds),
        'Content-Type': mediaType,
      },
    };
  };
}
