import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { Sorting } from '../../ui/grid/columns.ts';
import { resultColumns, findServerSortParameter, type ResultColumn } from './result-columns.tsx';

/** Returns the next sorting of a clicked column: one direction, then the other, then the order of the server. */
export function nextSorting(
  sorting: Sorting | undefined,
  column: Pick<ResultColumn, 'id' | 'isDescendingFirst'>,
): Sorting | undefined {
  const { id } = column;
  const isDescendingFirst = column.isDescendingFirst ?? false;
  if (sorting?.column !== id) return { column: id, descending: isDescendingFirst };
  return sorting.descending === isDescendingFirst
    ? { column: id, descending: !isDescendingFirst }
    : undefined;
}

/** Returns the column of an order; undefined for no order, several keys, or a key without a column. */
export function sortingOf(order: string, type: ResourceType): Sorting | undefined {
  const name = order.replace(/^-/, '');
  const column = resultColumns[type].find((candidate) => findServerSortParameter(candidate, type) === name);
  return column && { column: column.id, descending: order.startsWith('-') };
}

/** Returns the value of `_sort` for a column; undefined if the server can't sort by it. */
export function orderBy(sorting: Sorting, type: ResourceType): string | undefined {
  const column = resultColumns[type].find(({ id }) => id === sorting.column);
  const name = column && findServerSortParameter(column, type);
  return name === undefined ? undefined : (sorting.descending ? '-' : '') + name;
}
