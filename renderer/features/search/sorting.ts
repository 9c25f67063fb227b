import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { Sorting } from '../../ui/grid/columns.ts';
import { resultColumns, serverOrder, type ResultColumn } from './result-columns.tsx';

/** Returns the next sorting of a clicked column: one direction, then the other, then the order of the server. */
export function nextSorting(
  sorting: Sorting | undefined,
  column: Pick<ResultColumn, 'id' | 'downAtFirst'>,
): Sorting | undefined {
  const { id } = column;
  const downAtFirst = column.downAtFirst ?? false;
  if (sorting?.column !== id) return { column: id, descending: downAtFirst };
  return sorting.descending === downAtFirst ? { column: id, descending: !downAtFirst } : undefined;
}

/** Returns the column of an order; undefined for no order, several keys, or a key without a column. */
export function sortingOf(order: string, type: ResourceType): Sorting | undefined {
  const name = order.replace(/^-/, '');
  const column = resultColumns[type].find((candidate) => serverOrder(candidate, type) === name);
  return column && { column: column.id, descending: order.startsWith('-') };
}

/** Returns the value of `_sort` for a column; undefined if the server can't sort by it. */
export function orderBy(sorting: Sorting, type: ResourceType): string | undefined {
  const column = resultColumns[type].find(({ id }) => id === sorting.column);
  const name = column && serverOrder(column, type);
  return name === undefined ? undefined : (sorting.descending ? '-' : '') + name;
}
