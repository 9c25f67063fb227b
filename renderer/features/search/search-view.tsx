import { memo, useEffect, useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { useOverview } from '../../platform/app-queries.ts';
import { useCommandHandlers } from '../../platform/commands.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { isFocusLost } from '../../ui/focus.ts';
import { currentRow } from '../../ui/grid/row-pointer.ts';
import { text } from '../../ui/text.ts';
import { keyOf, queryOf, withOrder, type Criteria } from './criteria.ts';
import { bulkSourceOf } from './describe.ts';
import type { RenderPreview } from './preview-pane.tsx';
import { ResultPanel } from './result-face.tsx';
import { ResultSkeleton } from './result-skeleton.tsx';
import { SearchForm } from './search-form.tsx';
import frame from '../../ui/view.module.css';
import { StartPage } from './start-page.tsx';
import { useExport } from './use-export.ts';
import { outcomeOf, type Search } from './use-search.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { SubjectCount } from '../../../core/app/models.ts';
import { useConnection } from '../../platform/connection.ts';
import { relaxSearch, type RelaxedSearch } from './relaxed-search.ts';
import { QuickPicks } from './quick-picks.tsx';
import styles from './search.module.css';

/** Renders the results within a filter panel. Passed in by the app, because filters belong to another feature. */
type RenderFilterPanel = (search: Search, results: ReactNode) => ReactNode;

interface SearchViewProps {
  readonly search: Search;
  /** True for the active tab. */
  readonly isActive: boolean;
  /** True if commands apply to this search. Default for a single search. */
  readonly current?: boolean;
  readonly onFront: () => void;
  readonly draw?: RenderPreview;
  /** Renders the filter panel next to the results. */
  readonly narrow?: RenderFilterPanel;
  /** Overview before the first search. */
  readonly children?: ReactNode;
}

/** Search tab: the form, and below it the matching panel. */
export const SearchView = memo(function SearchView(props: SearchViewProps) {
  const { search, isActive, current = true, onFront, draw, narrow, children } = props;
  const view = useRef<HTMLDivElement>(null);
  const patientField = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (!isActive || !isFocusLost()) return;
    (currentRow(view.current) ?? patientField.current)?.focus();
  }, [isActive]);

  function onKeyDown(event: KeyboardEvent) {
    const { target, key } = event;
    // A menu or dialog of this view is rendered elsewhere and handles its own keys.
    if (!(target instanceof HTMLElement) || !view.current?.contains(target)) return;
    if (event.altKey && (key === 'ArrowLeft' || key === 'ArrowRight')) {
      search.step(key === 'ArrowLeft' ? -1 : 1);
    } else if (key === 'ArrowDown' && target instanceof HTMLInputElement) {
      // Arrow Down moves from the form to the matches.
      currentRow(view.current)?.focus();
    } else return;
    event.preventDefault();
  }

  return (
    <div ref={view} className={frame.view} onKeyDown={onKeyDown}>
      {current && <SearchCommands search={search} patientField={patientField} onFront={onFront} />}
      <Body search={search} patientField={patientField} draw={draw} narrow={narrow} start={children} />
    </div>
  );
});

interface SearchCommandsProps extends Pick<SearchViewProps, 'search' | 'onFront'> {
  readonly patientField: RefObject<HTMLInputElement | null>;
}

/** Registers the commands of this search. Renders nothing. */
function SearchCommands({ search, patientField, onFront }: SearchCommandsProps) {
  const { total } = search;
  const { submittedCriteria } = search.state;
  const { replaceInAll } = useWorkbenchActions();
  useCommandHandlers({
    'search.focus': () => {
      onFront();
      const select = () => patientField.current?.select();
      // Select at once if the field is visible: the user may type before the next frame.
      select();
      requestAnimationFrame(() => document.activeElement === patientField.current || select());
    },
    'search.replaceAll':
      submittedCriteria && total > 0
        ? () => replaceInAll(bulkSourceOf(submittedCriteria, total))
        : text.bulk.noSearch,
  });
  return null;
}

interface BodyProps extends Omit<SearchCommandsProps, 'onFront'> {
  readonly draw: RenderPreview | undefined;
  readonly narrow: RenderFilterPanel | undefined;
  readonly start: ReactNode;
}

/** Memoized, so that activating the tab renders none of it again. */
const Body = memo(function Body({ search, patientField, draw, narrow, start }: BodyProps) {
  const panel = <SearchPanel search={search} draw={draw} start={start} />;
  return (
    <>
      <SearchForm search={search} patientField={patientField} />
      {narrow && search.state.submittedCriteria ? narrow(search, panel) : panel}
    </>
  );
});

function SearchPanel({ search, draw, start }: Omit<BodyProps, 'patientField' | 'narrow'>) {
  const overview = useOverview().data;
  const exporting = useExport();
  const { query, rows, state } = search;
  const { submittedCriteria } = state;
  if (!submittedCriteria)
    return (
      <StartPage overview={overview} search={search}>
        {start}
      </StartPage>
    );
  if (query.isError && !query.data) {
    return (
      <div id={outcomeOf(search)} className={frame.padded}>
        <RequestFailure title={text.results.failed} query={query} />
      </div>
    );
  }
  if (query.isPending) return <ResultSkeleton />;
  if (rows.length === 0) {
    return (
      <NoMatch criteria={submittedCriteria} subjects={overview?.subjects ?? []} onSearch={search.submit} />
    );
  }
  // A new search starts at its first row without a selection. A new order of the same search keeps both.
  const key = keyOf(queryOf(withOrder(submittedCriteria, '')));
  return (
    <ResultPanel
      key={key}
      search={search}
      submittedCriteria={submittedCriteria}
      draw={draw}
      exporting={exporting}
    />
  );
}

interface NoMatchProps {
  readonly criteria: Criteria;
  readonly subjects: readonly SubjectCount[];
  readonly onSearch: (criteria: Criteria) => void;
}

/** Empty result panel: names the missing matches and suggests searches that find something. */
function NoMatch({ criteria, subjects, onSearch }: NoMatchProps) {
  const suggestions = useSuggestions(criteria);
  return (
    <div className={styles.start}>
      <h2>{text.results.none(criteria.type)}</h2>
      {suggestions?.length === 0 && <p>{hintOf(criteria)}</p>}
      {suggestions?.map(({ reason, relaxedCriteria, total }) => (
        <p key={`${reason} ${relaxedCriteria.type}`} className={styles.offer}>
          <span>{text.results[reason](relaxedCriteria.type, total)}</span>
          <Button onClick={() => onSearch(relaxedCriteria)}>
            {text.results.show(relaxedCriteria.type, total)}
          </Button>
        </p>
      ))}
      <QuickPicks subjects={subjects} type={criteria.type} onSearch={onSearch} />
    </div>
  );
}

function hintOf(criteria: Criteria): string {
  if (criteria.exactPatient || criteria.exactEncounter) return text.results.noneExact;
  return queryOf(criteria).pairs.length === 0 ? text.results.noneYet : text.results.noneHint;
}

/** Returns the relaxed searches that find something; undefined while loading. */
function useSuggestions(
  criteria: Criteria,
): readonly (RelaxedSearch & { readonly total: number })[] | undefined {
  const { name, client } = useConnection();
  const candidates = relaxSearch(criteria);
  const query = useQuery({
    queryKey: ['search-totals', name, keyOf(queryOf(criteria))],
    queryFn: () =>
      Promise.all(
        candidates.map(async (candidate) => {
          const { type, pairs } = queryOf(candidate.relaxedCriteria);
          const { total } = await client.search(type, [...pairs, ['_summary', 'count']]);
          return { ...candidate, total };
        }),
      ),
    retry: false,
  });
  if (query.isError) return [];
  return query.data?.filter(({ total }) => total > 0);
}
