import { useQuery } from '@tanstack/react-query';
import { ConnectionList, type ConnectionSummary } from '../../core/app/connections.ts';
import { localConnection } from './connection.ts';
import { connectionsKey, useLocalQueries } from './query-client.ts';

/** Milliseconds between two looks at a sign-in that is open in the browser. */
const signInPace = 1000;

/** Connections are the local server's own matter, whichever is worked on. */
const readConnections = () => localConnection.client.ask(ConnectionList, 'GET', '/connections');

/** The connection that bears a name now; undefined where none does. Rejects as the client does. */
export async function findConnection(name: string): Promise<ConnectionSummary | 'local' | undefined> {
  if (name === localConnection.name) return 'local';
  return (await readConnections()).connections.find((one) => one.name === name);
}

/** Every connection, and what keeps the secrets. */
export function useConnections() {
  return useQuery(
    {
      queryKey: connectionsKey,
      queryFn: readConnections,
      refetchInterval: ({ state }) =>
        state.data?.connections.some(({ access }) => access === 'signing-in') ? signInPace : false,
    },
    useLocalQueries(),
  );
}
