import type { DefaultMantineColor } from '@mantine/core';
import { createContext, use } from 'react';
import { createClient, workbenchClient, type Client } from '../../core/api/client.ts';
import { fhirPath } from '../../core/api/contract.ts';
import type { RemoteServer } from '../../core/api/remote.ts';
import type { ConnectionColour, ConnectionSummary } from '../../core/app/connections.ts';
import { desktop } from './desktop.ts';
import { outliving } from './leaving.ts';
import { session } from './session.ts';

/** The server that the page works on: its name and colour frame the window, its client speaks to it. */
export interface Connection {
  readonly name: string;
  readonly host: string;
  readonly color: string;
  readonly client: Client;
  /** The absolute address below which its records are. */
  readonly fhirBase: string;
  /** Absent where it is the local server. */
  readonly remote?: ConnectionSummary;
}

function clientOf(remote?: RemoteServer): Client {
  return createClient({
    base: '',
    fetch: (address, init) => fetch(address, outliving(init)),
    caller: workbenchClient,
    ...(desktop === undefined && { token: () => session.token() }),
    ...(remote && { remote }),
  });
}

/** The embedded server, at the page's own origin. */
export const localConnection: Connection = {
  name: 'Local',
  host: location.hostname,
  color: 'var(--ck-local)',
  client: clientOf(),
  fhirBase: location.origin + fhirPath,
};

/** A server behind the gateway; `former` hands its client on where the address is the same. */
export function remoteConnection(remote: ConnectionSummary, former?: Connection): Connection {
  const { name, host, colour, id, baseUrl } = remote;
  const same = former?.remote?.id === id && former.remote.baseUrl === baseUrl;
  return {
    name,
    host,
    color: swatchOf(colour),
    client: same ? former.client : clientOf({ id, baseUrl }),
    fhirBase: baseUrl,
    remote,
  };
}

/** A connection's colour as CSS: one of Mantine's hues, of which purple goes by another name. */
export function swatchOf(colour: ConnectionColour): string {
  const hue: DefaultMantineColor = colour === 'purple' ? 'grape' : colour;
  return `var(--mantine-color-${hue}-6)`;
}

/** Where a write goes, for beside its button: the name, and of a remote server its host. */
export function placeOf({ name, host, remote }: Connection): string {
  return remote ? `${name} (${host})` : name;
}

export const ConnectionContext = createContext<Connection>(localConnection);

/** The connection in use. */
export function useConnection(): Connection {
  return use(ConnectionContext);
}

/** Turns the page to another server; false where unsaved text could not be kept first. */
export type SwitchConnection = (to: ConnectionSummary | undefined) => Promise<boolean>;

export const SwitchContext = createContext<SwitchConnection>(() => Promise.resolve(false));

/** How to turn to another server, or to the local one. */
export function useSwitchConnection(): SwitchConnection {
  return use(SwitchContext);
}
