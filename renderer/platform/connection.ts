import { createContext, use } from 'react';
import { createClient, workbenchClient, type Client } from '../../core/api/client.ts';
import { desktop } from './desktop.ts';
import { outliving } from './leaving.ts';
import { session } from './session.ts';

/** The server that the page works on: its name and colour frame the window, its client speaks to it. */
export interface Connection {
  readonly name: string;
  readonly host: string;
  readonly color: string;
  readonly client: Client;
}

/** The embedded server, at the page's own origin. */
export const localConnection: Connection = {
  name: 'Local',
  host: location.hostname,
  color: 'var(--ck-local)',
  client: createClient({
    base: '',
    fetch: (address, init) => fetch(address, outliving(init)),
    caller: workbenchClient,
    ...(desktop === undefined && { token: () => session.token() }),
  }),
};

export const ConnectionContext = createContext<Connection>(localConnection);

/** The connection in use. */
export function useConnection(): Connection {
  return use(ConnectionContext);
}
