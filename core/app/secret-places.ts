import { furtherSecrets, type ConnectionSettings, type FurtherSecret } from './connections.ts';

/** The secrets of a connection: the one of its authentication, and the further ones. */
export const secretKinds = ['secret', ...furtherSecrets] as const;
export type SecretKind = 'secret' | FurtherSecret;

/** Where each secret of a connection goes, and what for: it never goes elsewhere. */
const secretPlaces: Readonly<Record<SecretKind, (settings: ConnectionSettings) => string>> = {
  secret: ({ baseUrl, authentication }) => JSON.stringify([baseUrl, sorted(authentication)]),
  proxy: ({ proxy }) => JSON.stringify(sorted(proxy)),
  certificate: ({ clientCertificate = {} }) => JSON.stringify(sorted(clientCertificate)),
};

/** The secrets that stay behind where a connection changes: they were given for another place. */
export function movedSecrets(before: ConnectionSettings, after: ConnectionSettings): readonly SecretKind[] {
  return secretKinds.filter((kind) => secretPlaces[kind](before) !== secretPlaces[kind](after));
}

function sorted(members: object): readonly (readonly [string, unknown])[] {
  return Object.entries(members).sort(([a], [b]) => a.localeCompare(b));
}
