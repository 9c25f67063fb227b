import { useEffect, useId, useMemo, useReducer, useRef } from 'react';
import type { SearchQuery } from '../../../core/app/searches.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { useStable } from '../../ui/use-stable.ts';
import { criteriaOf, queryOf, type Criteria } from './criteria.ts';
import { useNoteSearch } from './saved-searches.ts';
import { initialSearch, searchReducer } from './search-state.ts';
import { useResults } from './use-results.ts';

/** Search of a tab: form, submitted criteria and loaded matches. Announces results only in the active tab. */
export function useSearch(isActive = true) {
  const [state, dispatch] = useReducer(searchReducer, initialSearch);
  const id = useId();
  const announce = useAnnounce();
  const logSearch = useNoteSearch();
  const { submittedCriteria } = state;
  const submittedQuery = useMemo(() => submittedCriteria && queryOf(submittedCriteria), [submittedCriteria]);
  const results = useResults(submittedQuery);
  const { query, total, reload } = results;

  const pendingSubmission = useRef<{ readonly noted: boolean }>(undefined);
  const isAnswered = !query.isPending && !query.isFetching;
  const { isError } = query;
  useEffect(() => {
    // Announced once per submission: a refetch after a save must not interrupt `Saved version 2`.
    const submission = pendingSubmission.current;
    if (!submission || !isAnswered || !submittedCriteria) return;
    pendingSubmission.current = undefined;
    const message = isError ? text.results.failed : text.results.found(submittedCriteria.type, total);
    if (isActive) announce(message);
    // Searches that failed or found nothing are not logged as recent.
    if (submission.noted && !isError && total > 0) logSearch(queryOf(submittedCriteria));
  }, [announce, isAnswered, isActive, isError, logSearch, submittedCriteria, total]);

  const submit = useStable((newCriteria: Criteria, { noted = true }: { readonly noted?: boolean } = {}) => {
    pendingSubmission.current = { noted };
    dispatch({ type: 'submitted', criteria: newCriteria });
    reload(queryOf(newCriteria));
  });
  const run = useStable((search: SearchQuery) => submit(criteriaOf(search)));
  const step = useStable((delta: -1 | 1) => {
    pendingSubmission.current = { noted: false };
    dispatch({ type: 'stepped', delta });
  });
  return useMemo(
    () => ({ id, state, dispatch, submittedQuery, ...results, submit, run, step }),
    [id, state, submittedQuery, results, submit, run, step],
  );
}

export type Search = ReturnType<typeof useSearch>;

/** Returns the ID of the element with the error message of a search. */
export const outcomeOf = ({ id }: Search): string => `${id}-outcome`;
