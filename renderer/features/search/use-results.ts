import {
  keepPreviousData,
  useInfiniteQuery,
  useQueryClient,
  type InfiniteData,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Client } from '../../../core/api/client.ts';
import type { SearchQuery } from '../../../core/app/searches.ts';
import { firstType } from '../../../core/fhir/resource.ts';
import { summaryElements } from '../../../core/fhir/summary.ts';
import { stringMember } from '../../../core/json/node.ts';
import { useConnection } from '../../platform/connection.ts';
import { readIssueCounts } from '../../platform/issue-counts.ts';
import { useStable } from '../../ui/use-stable.ts';
import { keyOf } from './criteria.ts';
import { rowsOf, rowsOfPages, type ResultRow } from './result-rows.ts';
import { useAskedColumns } from './use-columns.ts';

const pageSize = 500;

/** Pages that are reloaded when records change. Beyond them, the grid reports that it is outdated. */
const maxFreshPages = 4;

interface ResultPage {
  /** Time of the response in epoch milliseconds. */
  readonly loadedAt: number;
  readonly rows: readonly ResultRow[];
  readonly total: number;
  readonly atLeast?: true;
  readonly next?: string;
}

/** Loads the matches of a search in pages. Pages contain rows, not records. */
export function useResults(search: SearchQuery | undefined) {
  const { name } = useConnection();
  const key = search && keyOf(search);
  const columns = useAskedColumns(search?.type ?? firstType);
  const elements = columns.elements.join(',');
  const queryKey = useMemo(() => ['search', name, key, elements], [name, key, elements]);
  const outdated = useOutdated(queryKey);
  const query = usePages(search, queryKey, columns);
  const { hasNextPage, isPlaceholderData } = query;
  const [loadingAll, setRequestedKey] = useLoadingAll(query, key);
  const reload = useReload(setRequestedKey);
  const pages = query.data?.pages;
  const { rows, duplicateCount } = useMemo(() => rowsOfPages(pages ?? []), [pages]);
  return useMemo(
    () => ({
      query,
      rows,
      /** Time of the first page in epoch milliseconds. */
      loadedAt: pages?.[0]?.loadedAt,
      /** Number of rows that the server repeated. Each appears once. */
      duplicateCount,
      /** Number of loaded rows if the server returns no total. Otherwise the total without repeated rows. */
      total: pages?.[0]?.atLeast ? rows.length : Math.max(0, (pages?.[0]?.total ?? 0) - duplicateCount),
      /** True if the server has more than `total` without returning their number. */
      atLeast: pages?.[0]?.atLeast === true && hasNextPage,
      /** True if the server has no further rows. */
      complete: !hasNextPage && !isPlaceholderData,
      loadingAll,
      loadAll: () => setRequestedKey(key),
      stop: () => setRequestedKey(undefined),
      reload,
      outdated,
    }),
    [
      query,
      rows,
      duplicateCount,
      pages,
      hasNextPage,
      isPlaceholderData,
      loadingAll,
      setRequestedKey,
      key,
      reload,
      outdated,
    ],
  );
}

function usePages(
  search: SearchQuery | undefined,
  queryKey: readonly unknown[],
  columns: ReturnType<typeof useAskedColumns>,
) {
  const { client, remote } = useConnection();
  return useStableQuery(
    useInfiniteQuery<ResultPage, Error, InfiniteData<ResultPage, string>, typeof queryKey, string>({
      queryKey,
      enabled: ({ state }) => search !== undefined && pagesOf(state.data) <= maxFreshPages,
      initialPageParam: '',
      queryFn: ({ pageParam }): Promise<ResultPage> => {
        if (!search) throw new TypeError('There is no search to run.');
        return readPage(client, search, { next: pageParam, hasIssueCounts: !remote, columns });
      },
      getNextPageParam: (page) => page.next,
      placeholderData: keepPreviousData,
      // Rows are new in each response: a deep comparison costs more than rendering them.
      structuralSharing: false,
      gcTime: 60_000,
    }),
  );
}

type SetRequestedKey = (key: string | undefined) => void;

/** Loads page after page while all rows of a search are requested. Returns the state and its setter. */
function useLoadingAll(
  { hasNextPage, isFetching, isError, isPlaceholderData, fetchNextPage }: ReturnType<typeof useStableQuery>,
  key: string | undefined,
): readonly [loadingAll: boolean, want: SetRequestedKey] {
  const [requestedKey, setRequestedKey] = useState<string>();
  const loadingAll = requestedKey !== undefined && requestedKey === key && hasNextPage && !isError;
  useEffect(() => {
    if (loadingAll && !isFetching && !isPlaceholderData) void fetchNextPage();
  }, [loadingAll, isFetching, isPlaceholderData, fetchNextPage]);
  return [loadingAll, setRequestedKey];
}

/** Returns a function that reloads a search from its first page. */
function useReload(setRequestedKey: SetRequestedKey): (search: SearchQuery) => void {
  const { name } = useConnection();
  const queries = useQueryClient();
  return useStable((query) => {
    const pagesKey = ['search', name, keyOf(query)];
    queries.setQueriesData<InfiniteData<ResultPage, string>>(
      { queryKey: pagesKey },
      (cachedPages) =>
        cachedPages && {
          pages: cachedPages.pages.slice(0, 1),
          pageParams: cachedPages.pageParams.slice(0, 1),
        },
    );
    setRequestedKey(undefined);
    void queries.invalidateQueries({ queryKey: pagesKey });
  });
}

/**
 * Returns the members of a query that the view needs. The object stays the same until a member changes, unlike the
 * query object.
 */
function useStableQuery(query: UseInfiniteQueryResult<InfiniteData<ResultPage, string>>) {
  const { data, error, isPending, isFetching, isError, isPlaceholderData } = query;
  const { dataUpdatedAt, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } =
    query;
  const members = {
    data,
    error,
    isPending,
    isFetching,
    isError,
    isPlaceholderData,
    dataUpdatedAt,
    hasNextPage,
    isFetchingNextPage,
    isFetchNextPageError,
    fetchNextPage,
    refetch,
  };
  // The number of members is constant.
  // oxlint-disable-next-line react/exhaustive-deps
  return useMemo(() => members, Object.values(members));
}

function pagesOf(data: unknown): number {
  const pages = typeof data === 'object' && data !== null && 'pages' in data ? data.pages : undefined;
  return Array.isArray(pages) ? pages.length : 0;
}

interface PageToRead {
  /** Link from the previous page; empty for the first page. */
  readonly next: string;
  /** True if the server counts issues. */
  readonly hasIssueCounts: boolean;
  readonly columns: ReturnType<typeof useAskedColumns>;
}

/** Reads one page of a search as rows, with issue counts if the server has them. */
export async function readPage(
  client: Client,
  search: SearchQuery,
  { next, hasIssueCounts, columns }: PageToRead,
): Promise<ResultPage> {
  const { type, pairs } = search;
  const result =
    next === ''
      ? await client.search(type, [
          ...pairs,
          ['_elements', [...new Set([...summaryElements(type), ...columns.elements])].join(',')],
          ['_count', String(pageSize)],
        ])
      : await client.nextPage(type, next);
  const ids = result.records.flatMap(({ node }) => stringMember(node, 'id') ?? []);
  const needsCounts = result.records.length > 0 && hasIssueCounts;
  const counts = needsCounts ? await readIssueCounts(client, type, ids) : undefined;
  return {
    loadedAt: Date.now(),
    rows: rowsOf(result, counts, columns.ids),
    total: result.total,
    ...(result.atLeast && { atLeast: result.atLeast }),
    ...(result.next !== undefined && { next: result.next }),
  };
}

/** Returns true if records changed while more pages are loaded than are reloaded. */
function useOutdated(queryKey: readonly unknown[]): boolean {
  const queries = useQueryClient();
  const hash = JSON.stringify(queryKey);
  const [outdated, setOutdated] = useState<string>();
  useEffect(
    () =>
      queries.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || JSON.stringify(event.query.queryKey) !== hash) return;
        if (event.action.type === 'invalidate' && pagesOf(event.query.state.data) > maxFreshPages) {
          setOutdated(hash);
        }
        if (event.action.type === 'success' && pagesOf(event.query.state.data) === 1) setOutdated(undefined);
      }),
    [queries, hash],
  );
  return outdated === hash;
}
