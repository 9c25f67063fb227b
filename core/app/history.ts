import type { ResourceType } from '../fhir/resource.ts';

/** What wrote a version. */
const writeOperations = ['create', 'update', 'patch', 'import'] as const;
export type WriteOperation = (typeof writeOperations)[number];

/** A version of a record as its history tells of it, without its text. */
export interface HistoryEntry {
  readonly version: number;
  /** An instant with milliseconds, UTC. */
  readonly lastUpdated: string;
  readonly operation: WriteOperation;
  /** Name of the token that wrote. */
  readonly author: string;
  /** Number of places in which it differs from the version before; 0 for the first version. */
  readonly changes: number;
  /** JSON Pointers of the first of these places. */
  readonly paths: readonly string[];
}

/** `GET /app/history/{type}/{id}`: a page of a record's versions, newest first. */
export interface HistoryPage {
  /** All versions of the record, not only this page's. */
  readonly total: number;
  readonly versions: readonly HistoryEntry[];
  /** What the next page is asked for with; absent on the last. */
  readonly next?: string;
}

/** How many versions a page holds where nothing else is asked for. */
export const historyPageSize = 50;

/** How many of the changed places an entry names. */
export const namedPaths = 3;

/** The address of a page below `/app`. */
export function historyPath(
  type: ResourceType,
  id: string,
  { count = historyPageSize, page }: { readonly count?: number; readonly page?: string } = {},
): string {
  const next = page === undefined ? '' : `&page=${encodeURIComponent(page)}`;
  return `/history/${type}/${encodeURIComponent(id)}?count=${count}${next}`;
}

export function isHistoryPage(value: unknown): value is HistoryPage {
  return (
    typeof value === 'object' &&
    value !== null &&
    'total' in value &&
    typeof value.total === 'number' &&
    'versions' in value &&
    Array.isArray(value.versions) &&
    value.versions.every(isHistoryEntry) &&
    (!('next' in value) || typeof value.next === 'string')
  );
}

function isHistoryEntry(value: unknown): value is HistoryEntry {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    typeof value.version === 'number' &&
    'lastUpdated' in value &&
    typeof value.lastUpdated === 'string' &&
    'operation' in value &&
    writeOperations.some((one) => one === value.operation) &&
    'author' in value &&
    typeof value.author === 'string' &&
    'changes' in value &&
    typeof value.changes === 'number' &&
    'paths' in value &&
    Array.isArray(value.paths) &&
    value.paths.every((path) => typeof path === 'string')
  );
}
