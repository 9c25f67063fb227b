import { memo, useEffect, useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { useOverview } from '../../platform/app-queries.ts';
import { useCommandHandlers } from '../../platform/commands.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { isFocusLost } from '../../ui/focus.ts';
import { currentRow } from '../../ui/grid/row-pointer.ts';
import { text } from '../../ui/text.ts';
import { keyOf, queryOf, withOrder } from './criteria.ts';
import { bulkSourceOf } from './describe.ts';
import { NoMatch } from './no-match.tsx';
import type { DrawPreview } from './preview-pane.tsx';
import { ResultFace } from './result-face.tsx';
import { ResultSkeleton } from './result-skeleton.tsx';
import { SearchForm } from './search-form.tsx';
import frame from '../../ui/view.module.css';
import { StartPage } from './start-page.tsx';
import { useExport } from './use-export.ts';
import { outcomeOf, type Search } from './use-search.ts';

/** Draws the results within what narrows them; the frame hands it in, since that is another feature's. */
type DrawNarrowing = (search: Search, results: ReactNode) => ReactNode;

interface SearchViewProps {
  readonly search: Search;
  /** Whether this tab is the one in front. */
  readonly front: boolean;
  /** Whether it is the search that commands are for; so where there is but one. */
  readonly current?: boolean;
  readonly onFront: () => void;
  /** Draws the record under the cursor. */
  readonly draw?: DrawPreview;
  /** Draws what narrows the search beside its results. */
  readonly narrow?: DrawNarrowing;
  /** The overview, before the first search. */
  readonly children?: ReactNode;
}

/** The Search tab: the form, and beneath it the one face that fits. */
export const SearchView = memo(function SearchView(props: SearchViewProps) {
  const { search, front, current = true, onFront, draw, narrow, children } = props;
  const view = useRef<HTMLDivElement>(null);
  const patientField = useRef<HTMLInputElement>(null);

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
      {current && <SearchCommands {...{ search, patientField, onFront }} />}
      <Body search={search} patientField={patientField} draw={draw} narrow={narrow} start={children} />
    </div>
  );
});

interface SearchCommandsProps extends Pick<SearchViewProps, 'search' | 'onFront'> {
  readonly patientField: RefObject<HTMLInputElement | null>;
}

/** What commands do with this search; it draws nothing. */
function SearchCommands({ search, patientField, onFront }: SearchCommandsProps) {
  const { total } = search;
  const { submitted } = search.state;
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
  return null;
}

interface BodyProps extends Omit<SearchCommandsProps, 'onFront'> {
  readonly draw: DrawPreview | undefined;
  readonly narrow: DrawNarrowing | undefined;
  readonly start: ReactNode;
}

/** Coming to the front draws nothing of it anew. */
const Body = memo(function Body({ search, patientField, draw, narrow, start }: BodyProps) {
  const face = <Face search={search} draw={draw} start={start} />;
  return (
    <>
      <SearchForm search={search} patientField={patientField} />
      {narrow && search.state.submitted ? narrow(search, face) : face}
    </>
  );
});

function Face({ search, draw, start }: Omit<BodyProps, 'patientField' | 'narrow'>) {
  const overview = useOverview().data;
  const exporting = useExport();
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
      <div id={outcomeOf(search)} className={frame.padded}>
        <RequestFailure title={text.results.failed} of={query} />
      </div>
    );
  }
  if (query.isPending) return <ResultSkeleton />;
  if (rows.length === 0) {
    return <NoMatch criteria={submitted} subjects={overview?.subjects ?? []} onSearch={search.submit} />;
  }
  // Another search begins at its first row with none chosen; another order of the same one does not.
  const key = keyOf(queryOf(withOrder(submitted, '')));
  return <ResultFace key={key} search={search} submitted={submitted} draw={draw} exporting={exporting} />;
}
