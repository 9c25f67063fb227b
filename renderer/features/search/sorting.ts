import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { Sorting } from '../../ui/grid/columns.ts';
import { resultColumns, serverOrder, type ResultColumn } from './result-columns.tsx';

/** One way, then the other, then as the server gave them; most columns go up first. */
export function nextSorting(
  sorting: Sorting | undefined,
  column: Pick<ResultColumn, 'id' | 'downAtFirst'>,
): Sorting | undefined {
  const { id } = column;
  const downAtFirst = column.downAtFirst ?? false;
  if (sorting?.column !== id) return { column: id, descending: downAtFirst };
  return sorting.descending === downAtFirst ? { column: id, descending: !downAtFirst } : undefined;
}

/** The column that a search's order sorts by; undefined for none, for several, and for one that is no column. */
export function sortingOf(order: string, type: ResourceType): Sorting | undefined {
  const name = order.replace(/^-/, '');
  const column = resultColumns[type].find((one) => serverOrder(one, type) === name);
  return column && { column: column.id, descending: order.startsWith('-') };
}

/** The value of `_sort` for a column; undefined where the server does not sort by it. */
export function orderBy(sorting: Sorting, type: ResourceType): string | undefined {
  const column = resultColumns[type].find(({ id }) => id === sorting.column);
  const name = column && serverOrder(column, type);
  return name === undefined ? undefined : (sorting.descending ? '-' : '') + name;
}
