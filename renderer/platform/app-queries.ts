import { useQuery } from '@tanstack/react-query';
import { Overview } from '../../core/app/models.ts';
import type { AbsentPart } from '../../core/app/shared-store.ts';
import { useConnection } from './connection.ts';
import { useAppQuery } from './use-answer.ts';

/** Poll interval while the disk is full. The change stream does not report free space. */
const fullDiskPollMs = 5000;

/** Returns the overview of the local store; nothing while another server is active. */
export function useOverview() {
  const { name, remote } = useConnection();
  return useAppQuery('/overview', Overview, {
    // Another server has no overview.
    enabled: !remote,
    queryKey: ['overview', name],
    refetchInterval: ({ state }) => state.data?.disk === 'full' && fullDiskPollMs,
  });
}

/** Returns true if the local server uses a shared store without a part. */
export function useLacks(part: AbsentPart): boolean {
  return useOverview().data?.absent?.includes(part) === true;
}

/** Query key of data that depends on all records. It is invalidated with every full refresh. */
export const recordsKey = 'records';

/** Returns a counter that grows with every full refresh. */
export function useRefreshes(): number {
  const { data } = useQuery<number>({
    queryKey: [recordsKey],
    queryFn: ({ client, queryKey }) => (client.getQueryData<number>(queryKey) ?? -1) + 1,
    staleTime: Infinity,
  });
  return data ?? 0;
}
