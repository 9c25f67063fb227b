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
  /** The search whose rows it sorts; another search begins in the server's order. */
  readonly search: string;
  readonly sorting: Sorting | undefined;
}

/**
 * The order of the rows. All rows at hand are sorted here; where more are at the server, it is asked for the order if
 * it knows the column, and the loaded ones alone are sorted otherwise, which `partial` says.
 */
export function useSorting({ asked, state, rows, total, complete, submit }: Search) {
  const announce = useAnnounce();
  const [local, setLocal] = useState<LocalSorting>();
  const { submitted } = state;
  const key = asked ? keyOf(asked) : '';
  const order = submitted ? orderOf(submitted) : '';
  const here = local?.search === key ? local : undefined;
  const sorting = here ? here.sorting : submitted && sortingOf(order, submitted.type);
  const columns = resultColumns[(submitted ?? state.form).type];
  const column = columns.find(({ id }) => id === here?.sorting?.column);
  const descending = here?.sorting?.descending ?? false;

  const sorted = useMemo(
    () => (column ? orderRows(rows, column, descending) : rows),
    [rows, column, descending],
  );

  function toggle(id: string) {
    if (!submitted) return;
    const clicked = columns.find((one) => one.id === id);
    if (!clicked) return;
    const next = nextSorting(sorting, clicked);
    const { label } = clicked;
    const asks = next && orderBy(next, submitted.type);
    if (!complete && (asks !== undefined || (!next && !here))) {
      setLocal(undefined);
      submit(withOrder(submitted, asks ?? ''), { noted: false });
      if (asks !== undefined) announce(text.results.sortedByServer(label, total));
      return;
    }
    setLocal({ search: key, sorting: next });
    if (!complete && next) announce(text.results.sortedHere(label, rows.length, total));
  }

  return { sorted, sorting, toggle, partial: column && !complete ? column.label : undefined };
}
