import { useQuery } from '@tanstack/react-query';
import { DemoLoaded, Overview } from '../../core/app/models.ts';
import type { AbsentPart } from '../../core/app/shared-store.ts';
import { useConnection } from './connection.ts';
import { useAnswer } from './use-answer.ts';
import { useChange } from './use-change.ts';

/** Milliseconds between two looks at a full disk, of which the stream of changes does not tell. */
const fullDiskPace = 5000;

/** What the local store holds; nothing where another server is worked on. */
export function useOverview() {
  const { name, remote } = useConnection();
  return useAnswer('/overview', Overview, {
    // Another server has none.
    enabled: !remote,
    queryKey: ['overview', name],
    refetchInterval: ({ state }) => state.data?.disk === 'full' && fullDiskPace,
  });
}

/** Whether the local server is one over a shared store that does not offer a part. */
export function useLacks(part: AbsentPart): boolean {
  return useOverview().data?.absent?.includes(part) === true;
}

/** Of what follows all records that change at once; told with everything else that is read anew. */
export const recordsKey = 'records';

/** How often what is shown was read anew as a whole; more each time. */
export function useRefreshes(): number {
  const { data } = useQuery<number>({
    queryKey: [recordsKey],
    queryFn: ({ client, queryKey }) => (client.getQueryData<number>(queryKey) ?? -1) + 1,
    staleTime: Infinity,
  });
  return data ?? 0;
}

/** Loads the demo clinic, then reads the overview and every search anew; `onLoaded` is called before that. */
export function useLoadDemo(onLoaded: (loaded: DemoLoaded) => void) {
  return useChange((client) => client.ask(DemoLoaded, 'POST', '/demo', {}), onLoaded);
}
