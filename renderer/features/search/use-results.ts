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

/** Pages that are read again when records change; beyond them the grid says that it is not up to date. */
const pagesKeptFresh = 4;

interface ResultPage {
  /** When it was read. */
  readonly readAt: number;
  readonly rows: readonly ResultRow[];
  readonly total: number;
  readonly atLeast?: true;
  readonly next?: string;
}

/** The matches of a search, page by page; the pages keep rows and no records. */
export function useResults(search: SearchQuery | undefined) {
  const { name } = useConnection();
  const key = search && keyOf(search);
  const columns = useAskedColumns(search?.type ?? firstType);
  const elements = columns.elements.join(',');
  const queryKey = useMemo(() => ['search', name, key, elements], [name, key, elements]);
  const outdated = useOutdated(queryKey);
  const query = usePages(search, queryKey, columns);
  const { hasNextPage, isPlaceholderData } = query;
  const [loadingAll, setWanted] = useLoadingAll(query, key);
  const again = useAgain(setWanted);
  const pages = query.data?.pages;
  const { rows, repeated } = useMemo(() => rowsOfPages(pages ?? []), [pages]);
  return useMemo(
    () => ({
      query,
      rows,
      /** When the first page was read. */
      readAt: pages?.[0]?.readAt,
      /** How many rows the server sent again; each is among the rows once. */
      repeated,
      /** Where the server names no total, what is loaded; what it sent again it had counted too. */
      total: pages?.[0]?.atLeast ? rows.length : Math.max(0, (pages?.[0]?.total ?? 0) - repeated),
      /** The server has more than the total, and does not say how many. */
      atLeast: pages?.[0]?.atLeast === true && hasNextPage,
      /** Whether the server has nothing beyond these rows. */
      complete: !hasNextPage && !isPlaceholderData,
      loadingAll,
      loadAll: () => setWanted(key),
      stop: () => setWanted(undefined),
      again,
      outdated,
    }),
    [
      query,
      rows,
      repeated,
      pages,
      hasNextPage,
      isPlaceholderData,
      loadingAll,
      setWanted,
      key,
      again,
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
  return useKept(
    useInfiniteQuery<ResultPage, Error, InfiniteData<ResultPage, string>, typeof queryKey, string>({
      queryKey,
      enabled: ({ state }) => search !== undefined && pagesOf(state.data) <= pagesKeptFresh,
      initialPageParam: '',
      queryFn: ({ pageParam }): Promise<ResultPage> => {
        if (!search) throw new TypeError('There is no search to run.');
        return readPage(client, search, { next: pageParam, counted: !remote, columns });
      },
      getNextPageParam: (page) => page.next,
      placeholderData: keepPreviousData,
      // Rows are new with each answer: comparing them deeply costs more than drawing them.
      structuralSharing: false,
      gcTime: 60_000,
    }),
  );
}

type SetWanted = (key: string | undefined) => void;

/** Reads page after page while all of a search is wanted; whether it does, and how to want all of one by its key. */
function useLoadingAll(
  { hasNextPage, isFetching, isError, isPlaceholderData, fetchNextPage }: ReturnType<typeof useKept>,
  key: string | undefined,
): readonly [loadingAll: boolean, want: SetWanted] {
  const [wanted, setWanted] = useState<string>();
  const loadingAll = wanted !== undefined && wanted === key && hasNextPage && !isError;
  useEffect(() => {
    if (loadingAll && !isFetching && !isPlaceholderData) void fetchNextPage();
  }, [loadingAll, isFetching, isPlaceholderData, fetchNextPage]);
  return [loadingAll, setWanted];
}

/** The same search again means: read it again, from its first page. */
function useAgain(setWanted: SetWanted): (asked: SearchQuery) => void {
  const { name } = useConnection();
  const queries = useQueryClient();
  return useStable((asked) => {
    const askedKey = ['search', name, keyOf(asked)];
    queries.setQueriesData<InfiniteData<ResultPage, string>>(
      { queryKey: askedKey },
      (kept) => kept && { pages: kept.pages.slice(0, 1), pageParams: kept.pageParams.slice(0, 1) },
    );
    setWanted(undefined);
    void queries.invalidateQueries({ queryKey: askedKey });
  });
}

/** What the view needs of a query, the same object until some of it changes: the query's own is new with each draw. */
function useKept(query: UseInfiniteQueryResult<InfiniteData<ResultPage, string>>) {
  const { data, error, isPending, isFetching, isError, isPlaceholderData } = query;
  const { dataUpdatedAt, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } =
    query;
  const kept = {
    ...{ data, error, isPending, isFetching, isError, isPlaceholderData },
    ...{ dataUpdatedAt, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch },
  };
  // It has the same members with each draw.
  // oxlint-disable-next-line react/exhaustive-deps
  return useMemo(() => kept, Object.values(kept));
}

function pagesOf(data: unknown): number {
  const pages = typeof data === 'object' && data !== null && 'pages' in data ? data.pages : undefined;
  return Array.isArray(pages) ? pages.length : 0;
}

interface PageToRead {
  /** The link of the page before; empty for the first. */
  readonly next: string;
  /** Whether the server counts issues. */
  readonly counted: boolean;
  readonly columns: ReturnType<typeof useAskedColumns>;
}

/** One page of a search as rows; counts of issues are read beside it where the server has them. */
export async function readPage(
  client: Client,
  search: SearchQuery,
  { next, counted, columns }: PageToRead,
): Promise<ResultPage> {
  const { type, pairs } = search;
  const found =
    next === ''
      ? await client.search(type, [
          ...pairs,
          ['_elements', [...new Set([...summaryElements(type), ...columns.elements])].join(',')],
          ['_count', String(pageSize)],
        ])
      : await client.nextPage(type, next);
  const ids = found.records.flatMap(({ node }) => stringMember(node, 'id') ?? []);
  const some = found.records.length > 0 && counted;
  const counts = some ? await readIssueCounts(client, type, ids) : undefined;
  return {
    readAt: Date.now(),
    rows: rowsOf(found, counts, columns.ids),
    total: found.total,
    ...(found.atLeast && { atLeast: found.atLeast }),
    ...(found.next !== undefined && { next: found.next }),
  };
}

/** Whether records were changed since more pages were read than are read again. */
function useOutdated(queryKey: readonly unknown[]): boolean {
  const queries = useQueryClient();
  const hash = JSON.stringify(queryKey);
  const [outdated, setOutdated] = useState<string>();
  useEffect(
    () =>
      queries.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || JSON.stringify(event.query.queryKey) !== hash) return;
        if (event.action.type === 'invalidate' && pagesOf(event.query.state.data) > pagesKeptFresh) {
          setOutdated(hash);
        }
        if (event.action.type === 'success' && pagesOf(event.query.state.data) === 1) setOutdated(undefined);
      }),
    [queries, hash],
  );
  return outdated === hash;
}
