import { FhirError } from '../../core/fhir/outcome.ts';
import { ownNames } from '../listener.ts';
import type { ServerSettings } from '../settings.ts';
import type { Guard } from './request.ts';

/** The parts of a request by which a foreign page or a rebound name is known. */
interface Arrival {
  /** As it stands in the request line. */
  readonly target: string;
  /** Names and values in turn, as they arrived. */
  readonly rawHeaders: readonly string[];
  readonly port: number;
}

/** Names and origins that are let in beside the server's own. */
export interface Allowed {
  /** Names under which the server answers at its port. */
  readonly own: readonly string[];
  /** In lower case, with a port, or without for every port. */
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  /** Paths at which a browser may arrive from another site, by a navigation alone. */
  readonly landings: readonly string[];
}

/** What the settings allow; a public URL is a name of the server itself. */
export function allowedOf(
  { listen, publicUrl, allowHosts, allowOrigins, landings }: ServerSettings,
  further: readonly string[] = [],
): Allowed {
  const published = publicUrl === undefined ? [] : [new URL(publicUrl)];
  return {
    own: ownNames(listen),
    hosts: [...allowHosts.map((name) => name.toLowerCase()), ...published.map(({ host }) => host)],
    origins: [...allowOrigins, ...published.map(({ origin }) => origin)],
    landings: [...landings, ...further],
  };
}

/**
 * Why a request is turned away before anything else looks at it: exactly one Host that is this server (RFC 9112
 * section 3.2), and no page of another origin behind it (DNS rebinding, cross-site requests). Undefined where it may
 * pass.
 */
function refuseForeign({ target, rawHeaders, port }: Arrival, allowed: Allowed): FhirError | undefined {
  const { hosts, origins, sites, modes } = valuesOf(rawHeaders);
  const [host, ...further] = hosts.map((value) => value.toLowerCase());
  if (host === undefined || further.length > 0) {
    return new FhirError('malformed', { text: 'Send exactly one Host header.', location: 'http.Host' });
  }
  // Whom a whole address names is who is asked, whatever Host says (RFC 9112 section 3.2.2).
  const named = target.startsWith('/') ? [host] : [host, authorityOf(target) ?? host];
  if (!named.every((name) => isAllowed(name, port, allowed))) {
    return new FhirError('forbidden', {
      text: 'This server does not answer under this name; --allow-host adds one.',
      location: 'http.Host',
    });
  }
  if (origins.length === 0 && sites.length === 0) return undefined;
  const path = target.split('?')[0] ?? '';
  const lands = modes.join() === 'navigate' && allowed.landings.includes(path);
  if (lands && origins.length === 0) return undefined;
  const own = allowed.own.map((name) => `${name}:${port}`);
  const others = origins.filter((origin) => !allowed.origins.includes(origin));
  const invited = origins.length > 0 && others.length === 0;
  const ownOrigins = () => [...own, host].flatMap((one) => [`http://${one}`, `https://${one}`]);
  if (
    (sites.includes('cross-site') && !invited) ||
    (others.length > 0 && others.some((origin) => !ownOrigins().includes(origin)))
  ) {
    return new FhirError('forbidden', {
      text: 'Requests from other origins are refused; --allow-origin lets one in.',
      location: 'http.Origin',
    });
  }
  return undefined;
}

function isAllowed(host: string, port: number, { own, hosts }: Allowed): boolean {
  return (
    own.some((name) => host === `${name}:${port}`) ||
    hosts.some((one) => one === host || one === nameOf(host))
  );
}

function authorityOf(target: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(target)?.[1]?.toLowerCase();
}

function nameOf(host: string): string {
  return host.replace(/:[0-9]+$/, '');
}

/** Every value of the three headers by which a foreign request is known. */
function valuesOf(rawHeaders: readonly string[]) {
  return {
    hosts: valuesNamed(rawHeaders, 'host'),
    origins: valuesNamed(rawHeaders, 'origin'),
    sites: valuesNamed(rawHeaders, 'sec-fetch-site'),
    modes: valuesNamed(rawHeaders, 'sec-fetch-mode'),
  };
}

function valuesNamed(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const found = rawHeaders[index] ?? '';
    // The length alone rules most out.
    if (found.length === name.length && found.toLowerCase() === name)
      values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}

/** Refuses what {@link refuseForeign} refuses. */
export function foreignGuard(allowed: Allowed): Guard {
  return ({ originalUrl, rawHeaders, socket }) => {
    const fault = refuseForeign({ target: originalUrl, rawHeaders, port: socket.localPort ?? 0 }, allowed);
    if (fault) throw fault;
  };
}

/** Refuses an address whose percent escapes cannot be decoded, before anything asks for a token. */
export const addressGuard: Guard = ({ originalUrl }) => {
  if (originalUrl.includes('%')) decodeURIComponent(originalUrl);
};
