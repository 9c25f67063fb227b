import { FhirError } from '../../core/fhir/outcome.ts';
import { ownNames } from '../listener.ts';
import type { ServerSettings } from '../settings.ts';
import type { Guard } from './request.ts';

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
 * Turns a request away before anything else looks at it: lets pass exactly one Host that is this server (RFC 9112 section
 * 3.2), and no page of another origin behind it (DNS rebinding, cross-site requests).
 */
export function foreignGuard(allowed: Allowed): Guard {
  return (request) => {
    const { originalUrl: target, socket } = request;
    const port = socket.localPort ?? 0;
    const valuesOf = (name: string) => valuesNamed(request.rawHeaders, name);
    const [host, ...further] = valuesOf('host').map((value) => value.toLowerCase());
    if (host === undefined || further.length > 0) {
      throw new FhirError('malformed', { text: 'Send exactly one Host header.', location: 'http.Host' });
    }
    // Whom a whole address names is who is asked, whatever Host says (RFC 9112 section 3.2.2).
    const named = target.startsWith('/') ? [host] : [host, authorityOf(target) ?? host];
    if (!named.every((name) => isAllowed(name, port, allowed))) {
      throw new FhirError('forbidden', {
        text: 'This server does not answer under this name; --allow-host adds one.',
        location: 'http.Host',
      });
    }
    const [origins, sites] = [valuesOf('origin'), valuesOf('sec-fetch-site')];
    if (origins.length === 0 && sites.length === 0) return;
    const path = target.split('?')[0] ?? '';
    const lands = valuesOf('sec-fetch-mode').join() === 'navigate' && allowed.landings.includes(path);
    if (lands && origins.length === 0) return;
    const own = allowed.own.map((name) => `${name}:${port}`);
    const others = origins.filter((origin) => !allowed.origins.includes(origin));
    const invited = origins.length > 0 && others.length === 0;
    const ownOrigins = () => [...own, host].flatMap((one) => [`http://${one}`, `https://${one}`]);
    if (
      (sites.includes('cross-site') && !invited) ||
      others.some((origin) => !ownOrigins().includes(origin))
    ) {
      throw new FhirError('forbidden', {
        text: 'Requests from other origins are refused; --allow-origin lets one in.',
        location: 'http.Origin',
      });
    }
  };
}

function isAllowed(host: string, port: number, { own, hosts }: Allowed): boolean {
  return (
    own.some((name) => host === `${name}:${port}`) ||
    hosts.some((one) => one === host || one === host.replace(/:[0-9]+$/, ''))
  );
}

function authorityOf(target: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(target)?.[1]?.toLowerCase();
}

/** Every value of a header, as it arrived. */
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

/** Refuses an address whose percent escapes cannot be decoded, before anything asks for a token. */
export const addressGuard: Guard = ({ originalUrl }) => {
  if (originalUrl.includes('%')) decodeURIComponent(originalUrl);
};
