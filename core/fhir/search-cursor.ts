import type { Cursor, SortColumn, SortKey } from './search-criteria.ts';
import { formatPlace, parsePlace } from './search-place.ts';

/** The `_sort` value of an order. */
function formatSort(sort: readonly SortKey[]): string {
  return sort.map(({ column, descending }) => `${descending ? '-' : ''}${column}`).join(',');
}

/** The value of `_cursor` that starts a page at this place. */
export function formatCursor(sort: readonly SortKey[], { keys, snapshot, backwards }: Cursor): string {
  return formatPlace([formatSort(sort), snapshot, backwards ? 1 : 0, ...keys]);
}

/** Reads a cursor; undefined where it is none, or one of another order. */
export function parseCursor(sort: readonly SortKey[], text: string): Cursor | undefined {
  const [order, snapshot, direction, ...keys] = parsePlace(text) ?? [];
  if (order !== formatSort(sort) || (direction !== 0 && direction !== 1) || !isStoreText(snapshot))
    return undefined;
  const columns: SortColumn[] = [...sort.map(({ column }) => column), '_id'];
  if (keys.length !== columns.length) return undefined;
  const read = keys.filter((key, index) => isKey(columns[index], key));
  return read.length === keys.length ? { keys: read, snapshot, backwards: direction === 1 } : undefined;
}

/** Whether a value can be a text that a store made to know a snapshot or a place by. */
export function isStoreText(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.:@,-]{1,200}$/.test(value);
}

function isKey(column: SortColumn | undefined, key: unknown): key is string | number {
  return column === 'date' ? Number.isSafeInteger(key) : typeof key === 'string' && key.length <= 200;
}
