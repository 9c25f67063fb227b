import { memo, useEffect, useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { useOverview } from '../../platform/app-queries.ts';
import { useCommandHandlers } from '../../platform/commands.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { isFocusLost } from '../../ui/focus.ts';
import { currentRow } from '../../ui/grid/row-pointer.ts';
import { text } from '../../ui/text.ts';
import { bulkSourceOf } from './bulk-source.ts';
import { keyOf, queryOf, withOrder } from './criteria.ts';
import { NoMatch } from './no-match.tsx';
import { ResultFace } from './result-face.tsx';
import { ResultSkeleton } from './result-skeleton.tsx';
import { SearchForm } from './search-form.tsx';
import frame from '../../ui/view.module.css';
import { StartPage } from './start-page.tsx';
import type { Search } from './use-search.ts';

interface SearchViewProps {
  readonly search: Search;
  /** Whether this tab is the one in front. */
  readonly front: boolean;
  readonly onFront: () => void;
  /** The overview, before the first search. */
  readonly children?: ReactNode;
}

/** The Search tab: the form, and beneath it the one face that fits. */
export const SearchView = memo(function SearchView(props: SearchViewProps) {
  const { search, front, onFront, children } = props;
  const view = useRef<HTMLDivElement>(null);
  const patientField = useRef<HTMLInputElement>(null);
  useSearchCommands(search, patientField, onFront);

  useEffect(() => {
    if (!front || !isFocusLost()) return;
    (currentRow(view.current) ?? patientField.current)?.focus();
  }, [front]);

  function onKeyDown(event: KeyboardEvent) {
    const { target, key } = event;
    // A menu or a dialog of this view is drawn elsewhere, and its keys are its own.
    if (!(target instanceof HTMLElement) || !view.current?.contains(target)) return;
    if (event.altKey && (key === 'ArrowLeft' || key === 'ArrowRight')) {
      search.step(key === 'ArrowLeft' ? -1 : 1);
    } else if (key === 'ArrowDown' && target instanceof HTMLInputElement) {
      // Down from the form leads into the matches.
      currentRow(view.current)?.focus();
    } else return;
    event.preventDefault();
  }

  return (
    <div ref={view} className={frame.view} onKeyDown={onKeyDown}>
      <Body search={search} patientField={patientField} start={children} />
    </div>
  );
});

function useSearchCommands(
  { state: { submitted }, total }: Search,
  patientField: RefObject<HTMLInputElement | null>,
  onFront: () => void,
): void {
  const { replaceInAll } = useWorkbenchActions();
  useCommandHandlers({
    'search.focus': () => {
      onFront();
      const select = () => patientField.current?.select();
      // At once where the field is in sight: by the next frame somebody may have typed.
      select();
      requestAnimationFrame(() => document.activeElement === patientField.current || select());
    },
    'search.replaceAll':
      submitted && total > 0 ? () => replaceInAll(bulkSourceOf(submitted, total)) : text.bulk.noSearch,
  });
}

interface BodyProps {
  readonly search: Search;
  readonly patientField: RefObject<HTMLInputElement | null>;
  readonly start: ReactNode;
}

/** Coming to the front draws nothing of it anew. */
const Body = memo(function Body({ search, patientField, start }: BodyProps) {
  return (
    <>
      <SearchForm search={search} patientField={patientField} />
      <Face search={search} start={start} />
    </>
  );
});

function Face({ search, start }: Pick<BodyProps, 'search' | 'start'>) {
  const overview = useOverview().data;
  const { query, rows, state } = search;
  const { submitted } = state;
  if (!submitted)
    return (
      <StartPage overview={overview} search={search}>
        {start}
      </StartPage>
    );
  if (query.isError && !query.data) {
    return (
      <div id="search-outcome" className={frame.padded}>
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
  // Another search begins at its first row with none chosen; another order of the same one does not.
  const key = keyOf(queryOf(withOrder(submitted, '')));
  return <ResultFace key={key} search={search} submitted={submitted} />;
}
