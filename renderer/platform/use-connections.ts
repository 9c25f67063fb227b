import { useQuery } from '@tanstack/react-query';
import { ConnectionList, type ConnectionSummary } from '../../core/app/connections.ts';
import { localConnection } from './connection.ts';
import { connectionsKey, useLocalQueries } from './query-client.ts';

/** Poll interval while a sign-in is open in the browser. */
const signInPollMs = 1000;

/** Connections belong to the local server, whichever server is active. */
const readConnections = () => localConnection.client.requestAs(ConnectionList, 'GET', '/connections');

/** Returns the connection with a name; undefined if there is none. Rejects like the client. */
export async function findConnection(name: string): Promise<ConnectionSummary | 'local' | undefined> {
  if (name === localConnection.name) return 'local';
  return (await readConnections()).connections.find((connection) => connection.name === name);
}

/** Returns all connections and the secret storage. */
export function useConnections() {
  return useQuery(
    {
      queryKey: connectionsKey,
      queryFn: readConnections,
      refetchInterval: ({ state }) =>
        state.data?.connections.some(({ access }) => access === 'signing-in') ? signInPollMs : false,
    },
    useLocalQueries(),
  );
}
