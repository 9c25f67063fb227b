import { Button } from '@mantine/core';
import { useEffect, useRef, type KeyboardEvent, type RefObject } from 'react';
import type { Overview } from '../../../core/app/models.ts';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { formatCount } from '../../ui/format.ts';
import { isFocusLost } from '../../ui/focus.ts';
import { text } from '../../ui/text.ts';
import { NoMatch } from './no-match.tsx';
import { ResultGrid } from './result-grid.tsx';
import { ResultSkeleton } from './result-skeleton.tsx';
import type { RecordAddress } from './result-rows.ts';
import { SearchForm } from './search-form.tsx';
import styles from './search.module.css';
import { StartPage } from './start-page.tsx';
import type { Search } from './use-search.ts';

interface SearchViewProps {
  readonly search: Search;
  readonly overview: Overview | undefined;
  readonly patientField: RefObject<HTMLInputElement | null>;
  /** Whether this tab is the one in front. */
  readonly front: boolean;
  readonly onOpen: (record: RecordAddress) => void;
}

/** The Search tab: the form, and beneath it the one face that fits. */
export function SearchView(props: SearchViewProps) {
  const { search, patientField, front } = props;
  const view = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!front || !isFocusLost()) return;
    (currentRow(view.current) ?? patientField.current)?.focus();
  }, [front, patientField]);

  /** Down from the form leads into the matches. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    currentRow(view.current)?.focus();
  }

  return (
    <div ref={view} className={styles.view} onKeyDown={onKeyDown}>
      <SearchForm search={search} patientField={patientField} />
      <Face {...props} />
    </div>
  );
}

/** The row of the grid that is in the tab order, where there is a grid. */
function currentRow(view: HTMLElement | null): HTMLElement | null | undefined {
  return view?.querySelector<HTMLElement>('[role=row][tabindex="0"]');
}

function Face({ search, overview, onOpen }: SearchViewProps) {
  const { query, rows, total, state } = search;
  const { submitted } = state;
  if (!submitted) return <StartPage overview={overview} search={search} />;
  if (query.isError) {
    return (
      <div className={styles.padded}>
        <FailureMessage
          title={text.results.failed}
          failure={toFailure(query.error)}
          onRetry={() => void query.refetch()}
        />
      </div>
    );
  }
  if (query.isPending) return <ResultSkeleton />;
  if (rows.length === 0) {
    return <NoMatch criteria={submitted} subjects={overview?.subjects ?? []} onSearch={search.submit} />;
  }
  return (
    <>
      <ResultGrid rows={rows} total={total} busy={query.isFetching} onOpen={onOpen} />
      <div className={styles.foot}>
        <span>{text.results.total(submitted, total)}</span>
        {query.hasNextPage && (
          <>
            <span>{text.results.loaded(formatCount(rows.length), formatCount(total))}</span>
            <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {text.results.more}
            </Button>
          </>
        )}
        <span className={styles.keys}>{text.results.keys}</span>
      </div>
    </>
  );
}
