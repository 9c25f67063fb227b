import { useMutation, useQuery } from '@tanstack/react-query';
import { ConnectionSummary } from '../../core/app/connections.ts';
import { PracticeStoreOpened, PracticeStoreState } from '../../core/app/practice.ts';
import { localConnection, useConnection, useSwitchConnection } from './connection.ts';
import { connectionsKey, useLocalQueries } from './query-client.ts';

/** The practice store belongs to the local server, whichever server is active. */
const { client } = localConnection;

/** True while the practice store is the active connection. */
export function useIsPractice(): boolean {
  const { remote } = useConnection();
  const { data } = useQuery(
    {
      queryKey: ['practice-store', remote?.id],
      enabled: remote !== undefined,
      queryFn: () => client.requestAs(PracticeStoreState, 'GET', '/practice-store'),
      retry: false,
    },
    useLocalQueries(),
  );
  return remote !== undefined && data?.connection === remote.id;
}

/** Opens the practice store and switches to it. */
export function useOpenPractice(onOpened: (opened: PracticeStoreOpened) => void) {
  const switchTo = useSwitchConnection();
  const queries = useLocalQueries();
  return useMutation({
    mutationFn: async () => {
      const opened = await client.requestAs(PracticeStoreOpened, 'POST', '/practice-store', {});
      const path = `/connections/${encodeURIComponent(opened.connection)}`;
      return { opened, connection: await client.requestAs(ConnectionSummary, 'GET', path) };
    },
    onSuccess: async ({ opened, connection }) => {
      onOpened(opened);
      await queries.invalidateQueries({ queryKey: connectionsKey });
      await switchTo(connection);
    },
  });
}
