import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { Sorting } from '../../ui/grid/columns.ts';
import { resultColumns, serverOrder } from './result-columns.tsx';

/** Up, then down, then as the server gave them. */
export function nextSorting(sorting: Sorting | undefined, column: string): Sorting | undefined {
  if (sorting?.column !== column) return { column, descending: false };
  return sorting.descending ? undefined : { column, descending: true };
}

/** The column that a search's order sorts by; undefined for none, for several, and for one that is no column. */
export function sortingOf(order: string, type: ResourceType): Sorting | undefined {
  const name = order.replace(/^-/, '');
  const column = resultColumns.find((one) => serverOrder(one, type) === name);
  return column && { column: column.id, descending: order.startsWith('-') };
}

/** The value of `_sort` for a column; undefined where the server does not sort by it. */
export function orderBy(sorting: Sorting, type: ResourceType): string | undefined {
  const column = resultColumns.find(({ id }) => id === sorting.column);
  const name = column && serverOrder(column, type);
  return name === undefined ? undefined : (sorting.descending ? '-' : '') + name;
}
