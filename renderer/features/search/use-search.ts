import { useEffect, useId, useMemo, useReducer, useRef } from 'react';
import type { SearchQuery } from '../../../core/app/searches.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { useStable } from '../../ui/use-stable.ts';
import { criteriaOf, queryOf, type Criteria } from './criteria.ts';
import { scopeOf } from './describe.ts';
import { useNoteSearch } from './kept-searches.ts';
import { initialSearch, searchReducer } from './search-state.ts';
import { useResults } from './use-results.ts';

/** The search of a tab: form, what was submitted, and the matches so far. What came of it is said while it is in `front`. */
export function useSearch(front = true) {
  const [state, dispatch] = useReducer(searchReducer, initialSearch);
  const id = useId();
  const announce = useAnnounce();
  const note = useNoteSearch();
  const { submitted } = state;
  const asked = useMemo(() => submitted && queryOf(submitted), [submitted]);
  const results = useResults(asked);
  const { query, total, again } = results;

  const awaited = useRef<{ readonly noted: boolean }>(undefined);
  const answered = !query.isPending && !query.isFetching;
  const { isError } = query;
  useEffect(() => {
    // Said once for each submission: a refetch after a save must not talk over `Saved version 2`.
    const submission = awaited.current;
    if (!submission || !answered || !submitted) return;
    awaited.current = undefined;
    const found = isError
      ? text.results.failed
      : text.results.found(submitted.type, total, scopeOf(submitted));
    if (front) announce(found);
    // What the server refuses, or knows nothing of, is nothing to come back to.
    if (submission.noted && !isError && total > 0) note(queryOf(submitted));
  }, [announce, answered, front, isError, note, submitted, total]);

  const submit = useStable((criteria: Criteria, { noted = true }: { readonly noted?: boolean } = {}) => {
    awaited.current = { noted };
    dispatch({ type: 'submitted', criteria });
    again(queryOf(criteria));
  });
  const run = useStable((search: SearchQuery) => submit(criteriaOf(search)));
  const step = useStable((by: -1 | 1) => {
    awaited.current = { noted: false };
    dispatch({ type: 'stepped', by });
  });
  return useMemo(
    () => ({ id, state, dispatch, asked, ...results, submit, run, step }),
    [id, state, asked, results, submit, run, step],
  );
}

export type Search = ReturnType<typeof useSearch>;

/** Id of what the server said of a search. */
export const outcomeOf = ({ id }: Search): string => `${id}-outcome`;
