import {
  furtherSecrets,
  type ConnectionSettings,
  type DefaultProxy,
  type FurtherSecret,
} from './connections.ts';

/** The secrets of a connection: the one of its authentication, and the further ones. */
export const secretKinds = ['secret', ...furtherSecrets] as const;
export type SecretKind = 'secret' | FurtherSecret;

/** Where each secret of a connection goes, and what for: it never goes elsewhere. */
const secretPlaces: Readonly<Record<SecretKind, (settings: ConnectionSettings) => string>> = {
  // Whom to trust and what the requests pass through decide who hears it, as much as the address does.
  secret: ({ baseUrl, authentication, caFile, proxy }) =>
    JSON.stringify([baseUrl, sorted(authentication), caFile, sorted(proxy)]),
  proxy: ({ proxy }) => JSON.stringify(sorted(proxy)),
  certificate: ({ clientCertificate = {} }) => JSON.stringify(sorted(clientCertificate)),
};

/** The secrets that stay behind where a connection changes: they were given for another place. */
export function movedSecrets(before: ConnectionSettings, after: ConnectionSettings): readonly SecretKind[] {
  return secretKinds.filter((kind) => secretPlaces[kind](before) !== secretPlaces[kind](after));
}

/** Returns whether two default proxies are one place, for their password and for the secrets that pass through them. */
export function isSameProxy(one: DefaultProxy, other: DefaultProxy): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

/** Returns the connections whose secret passes through the default proxy: it moves when that proxy changes. */
export function throughDefaultProxy<Settings extends Pick<ConnectionSettings, 'authentication' | 'proxy'>>(
  connections: readonly Settings[],
): Settings[] {
  return connections.filter(
    ({ authentication, proxy }) => authentication.kind !== 'none' && proxy.kind === 'default',
  );
}

function sorted(members: object): readonly (readonly [string, unknown])[] {
  return Object.entries(members).sort(([a], [b]) => a.localeCompare(b));
}
