import {
  furtherSecrets,
  type ConnectionSettings,
  type DefaultProxy,
  type FurtherSecret,
} from './connections.ts';

/** Kinds of secrets: the secret of the authentication, and the other secrets. */
export const secretKinds = ['secret', ...furtherSecrets] as const;
export type SecretKind = 'secret' | FurtherSecret;

/** Destination of each secret, as a comparable text. A secret is never sent elsewhere. */
const destinations: Readonly<Record<SecretKind, (settings: ConnectionSettings) => string>> = {
  // Trusted certificates and the proxy decide who can read the secret, as the address does.
  secret: ({ baseUrl, authentication, caFile, proxy }) =>
    JSON.stringify([baseUrl, sortEntries(authentication), caFile, sortEntries(proxy)]),
  proxy: ({ proxy }) => JSON.stringify(sortEntries(proxy)),
  certificate: ({ clientCertificate = {} }) => JSON.stringify(sortEntries(clientCertificate)),
};

/** Returns the kinds of secrets whose destination differs. They are not copied to the changed connection. */
export function movedSecrets(before: ConnectionSettings, after: ConnectionSettings): readonly SecretKind[] {
  return secretKinds.filter((kind) => destinations[kind](before) !== destinations[kind](after));
}

/**
 * Returns true if two default proxies are the same destination for their password and for secrets that pass
 * through them.
 */
export function isSameProxy(proxy: DefaultProxy, otherProxy: DefaultProxy): boolean {
  return JSON.stringify(sortEntries(proxy)) === JSON.stringify(sortEntries(otherProxy));
}

/**
 * Returns the connections whose secret passes through the default proxy. A change of that proxy invalidates
 * it.
 */
export function throughDefaultProxy<Settings extends Pick<ConnectionSettings, 'authentication' | 'proxy'>>(
  connections: readonly Settings[],
): Settings[] {
  return connections.filter(
    ({ authentication, proxy }) => authentication.kind !== 'none' && proxy.kind === 'default',
  );
}

function sortEntries(members: object): readonly (readonly [string, unknown])[] {
  return Object.entries(members).sort(([a], [b]) => a.localeCompare(b));
}
