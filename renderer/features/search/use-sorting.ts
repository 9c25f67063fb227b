import { useMemo, useState } from 'react';
import type { Sorting } from '../../ui/grid/columns.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { keyOf, orderOf, withOrder } from './criteria.ts';
import { resultColumns } from './result-columns.tsx';
import { orderRows } from './result-order.ts';
import { nextSorting, orderBy, sortingOf } from './sorting.ts';
import type { Search } from './use-search.ts';

interface LocalSorting {
  /** Key of the sorted search. Another search starts in the order of the server. */
  readonly search: string;
  readonly sorting: Sorting | undefined;
}

/**
 * Sorts the rows. Sorts locally if all rows are loaded. Otherwise requests the order from the server if it supports
 * the column, and sorts only the loaded rows if it does not; `partial` names that column.
 */
export function useSorting({ submittedQuery, state, rows, total, complete, submit }: Search) {
  const announce = useAnnounce();
  const [local, setLocal] = useState<LocalSorting>();
  const { submittedCriteria } = state;
  const key = submittedQuery ? keyOf(submittedQuery) : '';
  const order = submittedCriteria ? orderOf(submittedCriteria) : '';
  const localSorting = local?.search === key ? local : undefined;
  const sorting = localSorting
    ? localSorting.sorting
    : submittedCriteria && sortingOf(order, submittedCriteria.type);
  const columns = resultColumns[(submittedCriteria ?? state.form).type];
  const column = columns.find(({ id }) => id === localSorting?.sorting?.column);
  const descending = localSorting?.sorting?.descending ?? false;

  const sortedRows = useMemo(
    () => (column ? orderRows(rows, column, descending) : rows),
    [rows, column, descending],
  );

  function toggle(id: string) {
    if (!submittedCriteria) return;
    const clicked = columns.find((candidate) => candidate.id === id);
    if (!clicked) return;
    const next = nextSorting(sorting, clicked);
    const { label } = clicked;
    const requestedOrder = next && orderBy(next, submittedCriteria.type);
    if (!complete && (requestedOrder !== undefined || (!next && !localSorting))) {
      setLocal(undefined);
      submit(withOrder(submittedCriteria, requestedOrder ?? ''), { noted: false });
      if (requestedOrder !== undefined) announce(text.results.sortedByServer(label, total));
      return;
    }
    setLocal({ search: key, sorting: next });
    if (!complete && next) announce(text.results.sortedHere(label, rows.length, total));
  }

  return { sortedRows, sorting, toggle, partial: column && !complete ? column.label : undefined };
}
