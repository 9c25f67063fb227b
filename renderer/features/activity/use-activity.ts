import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { formatQuery } from '../../../core/api/query.ts';
import {
  ActivityCleared,
  activityLimits,
  ActivityPage,
  type ActivityFilter,
} from '../../../core/app/activity.ts';
import { useConnection, type Connection } from '../../platform/connection.ts';

/** Polling interval for newer entries while the view is active, in milliseconds. */
const pollIntervalMs = 3000;

function readPage(
  client: Connection['client'],
  filter: ActivityFilter,
  position: Readonly<Record<string, number>>,
): Promise<ActivityPage> {
  const pairs = [...Object.entries(filter), ...Object.entries(position)];
  const query = formatQuery(pairs.map(([name, value]) => [name, String(value)]));
  return client.requestAs(ActivityPage, 'GET', `/activity?${query}`);
}

/** Loads the matching entries in pages, and newer entries since. */
export function useActivity(filter: ActivityFilter, isActive: boolean) {
  const { name, client } = useConnection();
  const queries = useQueryClient();
  const queryKey = ['activity', name, filter];
  const query = useInfiniteQuery({
    queryKey,
    initialPageParam: 0,
    queryFn: ({ pageParam }) =>
      readPage(client, filter, { count: 200, ...(pageParam > 0 && { before: pageParam }) }),
    getNextPageParam: (page) => page.next,
    // Typing a filter must not empty the list at each key.
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
  const entries = useMemo(() => (query.data?.pages ?? []).flatMap((page) => page.entries), [query.data]);
  const latestSeq = entries[0]?.seq ?? 0;

  const newer = useQuery({
    queryKey: ['activity-newer', name, filter, latestSeq],
    queryFn: () => readPage(client, filter, { count: activityLimits.page, after: latestSeq }),
    enabled: isActive && query.isSuccess && !query.isPlaceholderData,
    refetchInterval: pollIntervalMs,
    refetchOnWindowFocus: 'always',
    gcTime: 0,
  });

  /** Adds newer entries on top of the list. */
  function showNewer() {
    const page = newer.data;
    if (!page || page.entries.length === 0) return;
    if (page.next !== undefined) {
      // More newer entries than one page: adding them would leave a gap.
      void queries.resetQueries({ queryKey });
      return;
    }
    // Added to the first page, so that the number of pages stays the same in a list that is open for hours.
    queries.setQueryData<InfiniteData<ActivityPage, number>>(queryKey, (data) => {
      const [firstPage, ...otherPages] = data?.pages ?? [];
      if (!data || !firstPage) return data;
      const entries = [...page.entries, ...firstPage.entries];
      return { ...data, pages: [{ ...firstPage, entries, total: page.total }, ...otherPages] };
    });
  }

  return {
    query,
    entries,
    /** Number of matching entries, including newer ones. */
    total: newer.data?.total ?? query.data?.pages[0]?.total ?? 0,
    newerCount: newer.data?.entries.length ?? 0,
    isBehind: newer.isError,
    takeNewer: showNewer,
  };
}

/** Removes all entries. Calls `onCleared` with their number. */
export function useClearActivity(onCleared: (count: number) => void) {
  const { name, client } = useConnection();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.requestAs(ActivityCleared, 'DELETE', '/activity'),
    onSuccess: ({ cleared }) => {
      onCleared(cleared);
      return queries.resetQueries({ queryKey: ['activity', name] });
    },
  });
}
