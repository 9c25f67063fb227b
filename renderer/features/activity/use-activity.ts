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

/** Milliseconds between two looks for newer entries while the view is in front. */
const interval = 3000;

function readPage(
  client: Connection['client'],
  filter: ActivityFilter,
  place: Readonly<Record<string, number>>,
): Promise<ActivityPage> {
  const pairs = [...Object.entries(filter), ...Object.entries(place)];
  const query = formatQuery(pairs.map(([name, value]) => [name, String(value)]));
  return client.ask(ActivityPage, 'GET', `/activity?${query}`);
}

/** The entries that match, page by page, and those that came since. */
export function useActivity(filter: ActivityFilter, front: boolean) {
  const { name, client } = useConnection();
  const queries = useQueryClient();
  const queryKey = ['activity', name, filter];
  const query = useInfiniteQuery({
    queryKey,
    initialPageParam: 0,
    queryFn: ({ pageParam }) =>
      readPage(client, filter, { count: 200, ...(pageParam > 0 && { before: pageParam }) }),
    getNextPageParam: (page) => page.next,
    // A filter that is being typed must not empty the list at each key.
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
  const entries = useMemo(() => (query.data?.pages ?? []).flatMap((page) => page.entries), [query.data]);
  const newest = entries[0]?.seq ?? 0;

  const newer = useQuery({
    queryKey: ['activity-newer', name, filter, newest],
    queryFn: () => readPage(client, filter, { count: activityLimits.page, after: newest }),
    enabled: front && query.isSuccess && !query.isPlaceholderData,
    refetchInterval: interval,
    refetchOnWindowFocus: 'always',
    gcTime: 0,
  });

  /** Puts the newer entries above the others. */
  function takeNewer() {
    const page = newer.data;
    if (!page || page.entries.length === 0) return;
    if (page.next !== undefined) {
      // More came than one answer holds: a gap would be left between them and the list.
      void queries.resetQueries({ queryKey });
      return;
    }
    // Into the first page and not before it, so that a list that stands open for hours has as many pages as before.
    queries.setQueryData<InfiniteData<ActivityPage, number>>(queryKey, (data) => {
      const [first, ...others] = data?.pages ?? [];
      if (!data || !first) return data;
      const entries = [...page.entries, ...first.entries];
      return { ...data, pages: [{ ...first, entries, total: page.total }, ...others] };
    });
  }

  return {
    query,
    entries,
    /** Of the filter, with what came since. */
    total: newer.data?.total ?? query.data?.pages[0]?.total ?? 0,
    newerCount: newer.data?.entries.length ?? 0,
    isBehind: newer.isError,
    takeNewer,
  };
}

/** Removes every entry; `onCleared` is told how many there were. */
export function useClearActivity(onCleared: (count: number) => void) {
  const { name, client } = useConnection();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.ask(ActivityCleared, 'DELETE', '/activity'),
    onSuccess: ({ cleared }) => {
      onCleared(cleared);
      return queries.resetQueries({ queryKey: ['activity', name] });
    },
  });
}
