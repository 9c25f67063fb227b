import { memo, useEffect, useLayoutEffect, type ReactNode } from 'react';
import type { SearchQuery } from '../../core/app/searches.ts';
import { Filters } from '../features/filters/filters.tsx';
import { OverviewView } from '../features/overview/overview-view.tsx';
import { addressOf, type ResultRow } from '../features/search/result-rows.ts';
import { SearchView } from '../features/search/search-view.tsx';
import { criteriaOf, orderOf, queryOf, withOrder } from '../features/search/criteria.ts';
import { useSearch, type Search } from '../features/search/use-search.ts';
import { lazyView } from '../ui/lazy-component.tsx';
import type { TabQuery } from './tab-kinds.ts';

const RowPreview = lazyView(async () => (await import('./row-preview.tsx')).RowPreview);

/** Functions that run a query in a search tab, by the key of the tab. */
export type SearchRuns = Map<string, (query: SearchQuery) => void>;

interface SearchHostProps {
  /** Key of the tab. */
  readonly id: string;
  readonly isActive: boolean;
  /** True for the last active search, which receives the commands. */
  readonly current: boolean;
  /** Query at the start, for example of a reopened tab. */
  readonly initialQuery: SearchQuery | undefined;
  readonly runs: SearchRuns;
  readonly onRequest: (key: string, tabQuery: TabQuery) => void;
  readonly onFront: () => void;
}

/** One search tab. Reports its query to the tab bar and the session. */
export const SearchHost = memo(function SearchHost(props: SearchHostProps) {
  const { id, isActive, current, initialQuery, runs, onRequest, onFront } = props;
  const search = useSearch(isActive);
  const { submittedQuery, run, total, query, rows } = search;
  useLayoutEffect(() => {
    runs.set(id, run);
    return () => void runs.delete(id);
  }, [runs, id, run]);

  const isFresh = submittedQuery === undefined;
  useEffect(() => {
    if (initialQuery && isFresh) run(initialQuery);
    // Only on mount: later queries come back as `initialQuery`.
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
      isActive={isActive}
      current={current}
      onFront={onFront}
      draw={renderPreview}
      narrow={renderFilters}
    >
      {overview}
    </SearchView>
  );
});

/** Content below the form before the first search. */
const overview = <OverviewView />;

/** Renders the results inside their filters. A filtered search keeps its order. */
export function renderFilters({ state, query, loadedAt, submit }: Search, results: ReactNode): ReactNode {
  const { submittedCriteria } = state;
  if (!submittedCriteria) return results;
  const order = orderOf(submittedCriteria);
  const { type, pairs } = queryOf(withOrder(submittedCriteria, ''));
  return (
    <Filters
      searchQuery={{ type, pairs }}
      readAt={query.isPlaceholderData ? undefined : loadedAt}
      onPairs={(next) => submit(withOrder(criteriaOf({ type, pairs: next }), order))}
    >
      {results}
    </Filters>
  );
}

function renderPreview(row: ResultRow): ReactNode {
  const record = addressOf(row);
  return record && <RowPreview record={record} version={row.version} />;
}
