import type { Cursor, SortColumn, SortKey } from './search-criteria.ts';

/** Formats a list as base64url (RFC 4648 section 5) of its JSON: the form of all cursors. */
export function formatPlace(place: readonly (string | number)[]): string {
  // Characters beyond ASCII become JSON escapes, so that each character is one byte.
  const json = JSON.stringify(place).replace(
    /[\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return btoa(json).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Parses a text of {@link formatPlace}; returns undefined for any other text. */
export function parsePlace(text: string): readonly unknown[] | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined;
  try {
    const place: unknown = JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/')));
    return Array.isArray(place) ? (place as unknown[]) : undefined;
  } catch {
    return undefined;
  }
}

/** Formats the `_sort` value of an order. */
function formatSort(sort: readonly SortKey[]): string {
  return sort.map(({ column, descending }) => `${descending ? '-' : ''}${column}`).join(',');
}

/** Formats the value of `_cursor` that starts a page. */
export function formatCursor(sort: readonly SortKey[], { keys, snapshot, backwards }: Cursor): string {
  return formatPlace([formatSort(sort), snapshot, backwards ? 1 : 0, ...keys]);
}

/** Parses a cursor; returns undefined for any other text, and for a cursor of another order. */
export function parseCursor(sort: readonly SortKey[], text: string): Cursor | undefined {
  const [order, snapshot, direction, ...keys] = parsePlace(text) ?? [];
  if (order !== formatSort(sort) || (direction !== 0 && direction !== 1) || !isStoreText(snapshot))
    return undefined;
  const columns: SortColumn[] = [...sort.map(({ column }) => column), '_id'];
  if (keys.length !== columns.length) return undefined;
  const validKeys = keys.filter((key, index) => isKey(columns[index], key));
  return validKeys.length === keys.length
    ? { keys: validKeys, snapshot, backwards: direction === 1 }
    : undefined;
}

/** Returns whether a value can be a snapshot or a place in the format of a store. */
export function isStoreText(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.:@,-]{1,200}$/.test(value);
}

function isKey(column: SortColumn | undefined, key: unknown): key is string | number {
  return column === 'date' ? Number.isSafeInteger(key) : typeof key === 'string' && key.length <= 200;
}
