import { useQuery, useQueryClient } from '@tanstack/react-query';
import { use, useMemo, useSyncExternalStore } from 'react';
import { narrow } from '../../../../core/api/narrow.ts';
import { Draft, DraftList, type DraftSummary } from '../../../../core/app/drafts.ts';
import { useConnection } from '../../../platform/connection.ts';
import { DraftsContext } from './drafts-context.ts';

export const draftsKey = ['drafts'];

/**
 * The drafts that no tab of this window writes: what a crash, a restart or another window left. Newest first; asked for
 * when the component comes, or once it is `ready`.
 */
export function useOfferedDrafts(ready = true): readonly DraftSummary[] {
  const { client } = useConnection();
  const keeper = use(DraftsContext);
  const { data } = useQuery({
    queryKey: draftsKey,
    queryFn: async (): Promise<readonly DraftSummary[]> =>
      narrow(await client.app('GET', '/drafts'), DraftList),
    enabled: ready,
  });
  const ours = useSyncExternalStore(keeper.subscribe, () =>
    (data ?? [])
      .filter(({ id }) => keeper.owns(id))
      .map(({ id }) => id)
      .join(' '),
  );
  return useMemo(() => {
    const own = new Set(ours.split(' '));
    return (data ?? []).filter(({ id }) => !own.has(id));
  }, [data, ours]);
}

/** Requests about single drafts; each rejects as the client does. */
export function useDraftRequests() {
  const { client } = useConnection();
  const keeper = use(DraftsContext);
  const queries = useQueryClient();
  return useMemo(() => {
    const refresh = () => queries.invalidateQueries({ queryKey: draftsKey });
    return {
      read: async (id: string) => narrow(await client.app('GET', `/drafts/${id}`), Draft),
      /** Makes the draft this window's own. */
      claim: async (id: string) =>
        narrow(await client.app('POST', `/drafts/${id}/claim`, { window: keeper.window }), Draft),
      async discard(id: string) {
        await client.app('DELETE', `/drafts/${id}`);
        await refresh();
      },
      /** Brings a discarded draft back. */
      async bringBack({ id, saved: _saved, ...draft }: Draft) {
        await client.app('PUT', `/drafts/${id}`, draft);
        await refresh();
      },
    };
  }, [client, keeper, queries]);
}
