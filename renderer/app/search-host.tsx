import { memo, useEffect, useLayoutEffect, type ReactNode } from 'react';
import type { SearchQuery } from '../../core/app/searches.ts';
import { Filters } from '../features/filters/filters.tsx';
import { OverviewView } from '../features/overview/overview-view.tsx';
import { addressOf, type ResultRow } from '../features/search/result-rows.ts';
import { SearchView } from '../features/search/search-view.tsx';
import { criteriaOf, orderOf, queryOf, withOrder } from '../features/search/criteria.ts';
import { useSearch, type Search } from '../features/search/use-search.ts';
import { RowPreview } from './row-preview.tsx';
import type { Asked } from './tab-kinds.ts';

/** How a search tab is asked from without, by its key. */
export type SearchRuns = Map<string, (query: SearchQuery) => void>;

interface SearchHostProps {
  /** Key of its tab. */
  readonly id: string;
  readonly front: boolean;
  /** Whether it is the search that was in front last, which commands are for. */
  readonly current: boolean;
  /** What it begins with, such as the search of a tab that is opened again. */
  readonly first: SearchQuery | undefined;
  readonly runs: SearchRuns;
  readonly onRequest: (key: string, tabQuery: Asked) => void;
  readonly onFront: () => void;
}

/** One search tab with its state, which the strip and the session are told of. */
export const SearchHost = memo(function SearchHost(props: SearchHostProps) {
  const { id, front, current, first: initialQuery, runs, onRequest, onFront } = props;
  const search = useSearch(front);
  const { asked: submittedQuery, run, total, query, rows } = search;
  useLayoutEffect(() => {
    runs.set(id, run);
    return () => void runs.delete(id);
  }, [runs, id, run]);

  const isFresh = submittedQuery === undefined;
  useEffect(() => {
    if (initialQuery && isFresh) run(initialQuery);
    // Only what it begins with: what is asked later is told back as `first`.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  const hasResponse = rows.length > 0 || (!query.isPending && !query.isError);
  const isTotalKnown = hasResponse && !query.isPlaceholderData;
  useEffect(() => {
    if (submittedQuery) onRequest(id, { query: submittedQuery, ...(isTotalKnown && { total }) });
  }, [onRequest, id, submittedQuery, isTotalKnown, total]);

  return (
    <SearchView
      search={search}
      front={front}
      current={current}
      onFront={onFront}
      draw={renderPreview}
      narrow={renderFilters}
    >
      {overview}
    </SearchView>
  );
});

/** What stands beneath the form before the first search. */
const overview = <OverviewView />;

/** The results within the values that narrow them; a search that is narrowed stays in its order. */
export function renderFilters({ state, query, readAt: loadedAt, submit }: Search, results: ReactNode): ReactNode {
  const { criteria: submittedCriteria } = state;
  if (!submittedCriteria) return results;
  const order = orderOf(submittedCriteria);
  const { type, pairs } = queryOf(withOrder(submittedCriteria, ''));
  return (
    <Filters
      query={{ type, pairs }}
      readAt={query.isPlaceholderData ? undefined : loadedAt}
      onPairs={(next) => submit(withOrder(criteriaOf({ type, pairs: next }), order))}
    >
      {results}
    </Filters>
  );
}

/** The record of a row of results. */
function renderPreview(row: ResultRow): ReactNode {
  const record = addressOf(row);
  return record && <RowPreview record={record} version={row.version} />;
}
