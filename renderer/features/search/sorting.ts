import type { ResultColumnId } from '../../../core/app/result-columns.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { resultColumns, serverOrder, type ResultColumn } from './result-columns.tsx';

/** The column that orders the rows, and which way. */
export interface Sorting {
  readonly column: ResultColumnId;
  readonly descending: boolean;
}

/** Up, then down, then as the server gave them. */
export function nextSorting(sorting: Sorting | undefined, column: ResultColumnId): Sorting | undefined {
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
  const column: ResultColumn | undefined = resultColumns.find(({ id }) => id === sorting.column);
  const name = column && serverOrder(column, type);
  return name === undefined ? undefined : (sorting.descending ? '-' : '') + name;
}
