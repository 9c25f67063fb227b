import type { DefaultMantineColor } from '@mantine/core';
import { createContext, use } from 'react';
import { createClient, workbenchClient, type Client } from '../../core/api/client.ts';
import { fhirPath } from '../../core/api/contract.ts';
import type { RemoteServer } from '../../core/api/remote.ts';
import type { ConnectionColor, ConnectionSummary } from '../../core/app/connections.ts';
import { desktop } from './desktop.ts';
import { session } from './session.ts';

let isLeaving = false;

window.addEventListener('pagehide', () => (isLeaving = true));
window.addEventListener('pageshow', () => (isLeaving = false));

/**
 * Size that a browser sends even after the page was closed: 64 KiB for all such requests together (Fetch
 * standard).
 */
const maxBytes = 60 * 1024;

/** Marks the request as keepalive if the page is being left and the body is small enough. */
function withKeepalive<T extends { readonly body?: string }>(init: T): T & { keepalive?: true } {
  const isSmall = init.body === undefined || new TextEncoder().encode(init.body).length <= maxBytes;
  return isLeaving && isSmall ? { ...init, keepalive: true } : init;
}

/** The server of the page: its name and color frame the window, its client sends the requests. */
export interface Connection {
  readonly name: string;
  readonly host: string;
  readonly color: string;
  readonly client: Client;
  /** Absolute base URL of its FHIR API. */
  readonly fhirBase: string;
  /** Undefined for the local server. */
  readonly remote?: ConnectionSummary;
}

function clientOf(remote?: RemoteServer): Client {
  return createClient({
    base: '',
    fetch: (address, init) => fetch(address, withKeepalive(init)),
    caller: workbenchClient,
    ...(desktop === undefined && { token: () => session.token() }),
    ...(remote && { remote }),
  });
}

/** The local server, at the page's own origin. */
export const localConnection: Connection = {
  name: 'Local',
  host: location.hostname,
  color: 'var(--ck-local)',
  client: clientOf(),
  fhirBase: location.origin + fhirPath,
};

/** Creates the connection to a remote server. Reuses the client of `previous` if the address is the same. */
export function remoteConnection(remote: ConnectionSummary, previous?: Connection): Connection {
  const { name, host, colour, id, baseUrl } = remote;
  const isSameServer = previous?.remote?.id === id && previous.remote.baseUrl === baseUrl;
  return {
    name,
    host,
    color: swatchOf(colour),
    client: isSameServer ? previous.client : clientOf({ id, baseUrl }),
    fhirBase: baseUrl,
    remote,
  };
}

/** Returns the color of a connection as CSS. Mantine calls purple "grape". */
export function swatchOf(colour: ConnectionColor): string {
  const hue: DefaultMantineColor = colour === 'purple' ? 'grape' : colour;
  return `var(--mantine-color-${hue}-6)`;
}

/** Returns the target of a write as a label: the name, and the host of a remote server. */
export function placeOf({ name, host, remote }: Connection): string {
  return remote ? `${name} (${host})` : name;
}

export const ConnectionContext = createContext<Connection>(localConnection);

/** Returns the active connection. */
export function useConnection(): Connection {
  return use(ConnectionContext);
}

/** Switches to another server. Resolves to false if unsaved text could not be stored first. */
export type SwitchConnection = (to: ConnectionSummary | undefined) => Promise<boolean>;

export const SwitchContext = createContext<SwitchConnection>(() => Promise.resolve(false));

/** Returns the function that switches to another server or to the local one. */
export function useSwitchConnection(): SwitchConnection {
  return use(SwitchContext);
}
