import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import type { SearchResult } from '../../../core/api/client.ts';
import { useConnection } from '../../platform/connection.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { toRow } from './result-rows.ts';
import {
  initialSearch,
  needsPatient,
  queryOf,
  searchReducer,
  trimmed,
  type Criteria,
} from './search-state.ts';

const pageSize = 500;

/** The search of this window: form, what was submitted, and the matches so far. */
export function useSearch() {
  const [state, dispatch] = useReducer(searchReducer, initialSearch);
  const { name, client } = useConnection();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const { submitted } = state;

  const query = useInfiniteQuery({
    queryKey: ['search', name, submitted],
    enabled: submitted !== undefined,
    initialPageParam: '',
    queryFn: async ({ pageParam }): Promise<SearchResult> => {
      const asked = submitted ?? state.form;
      if (pageParam !== '') return client.nextPage(asked.type, pageParam);
      return client.search(asked.type, queryOf(asked, pageSize));
    },
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    // The pages hold whole records: comparing them deeply costs more than drawing them.
    structuralSharing: false,
    gcTime: 60_000,
  });

  const total = query.data?.pages[0]?.total ?? 0;
  const awaited = useRef(false);
  const answered = !query.isPending && !query.isFetching;
  const { isError } = query;
  useEffect(() => {
    // Said once for each submission: a refetch after a save must not talk over `Saved version 2`.
    if (!awaited.current || !answered || !submitted) return;
    awaited.current = false;
    announce(isError ? text.results.failed : text.results.found(submitted, total));
  }, [announce, answered, isError, submitted, total]);

  const submit = useCallback(
    (criteria: Criteria) => {
      awaited.current = !needsPatient(criteria);
      dispatch({ type: 'submitted', criteria });
      // The same search again means: read it again.
      void queries.invalidateQueries({ queryKey: ['search', name, trimmed(criteria)] });
    },
    [queries, name],
  );
  const change = useCallback((form: Partial<Criteria>) => dispatch({ type: 'changed', form }), []);

  const pages = query.data?.pages;
  const rows = useMemo(
    () => (pages ?? []).flatMap((page) => page.records.map(({ node }) => toRow(node))),
    [pages],
  );
  return { state, query, rows, total, submit, change };
}

export type Search = ReturnType<typeof useSearch>;
