import * as v from 'valibot';
import { changeKinds, nameChange } from '../fhir/record-changes.ts';
import type { ResourceType } from '../fhir/resource.ts';
import type { Change } from '../json/diff.ts';
import type { Shape } from '../json/shape.ts';
import { reasonedMembers } from './authorship.ts';

/** What wrote a version. */
export const WriteOperation = v.picklist(['create', 'update', 'patch', 'import']);
export type WriteOperation = Shape<typeof WriteOperation>;

/** One change without its values (`core/fhir/record-changes.ts`). */
const ChangeName = v.object({
  kind: v.picklist(changeKinds),
  /** JSON Pointer in this version; of a removed element in the version before. */
  pointer: v.string(),
  /** JSON Pointer in the version before, if it is another. */
  from: v.exactOptional(v.string()),
  /** Title of an element that was added, removed or moved. */
  title: v.exactOptional(v.string()),
});

/** A version of a record as its history tells of it, without its text. */
const HistoryEntry = v.object({
  version: v.number(),
  /** An instant with milliseconds, UTC. */
  lastUpdated: v.string(),
  operation: WriteOperation,
  ...reasonedMembers,
  /** Number of places in which it differs from the version before; 0 for the first version. */
  changes: v.number(),
  /** JSON Pointers of the first of these places. */
  paths: v.array(v.string()),
  /** What became of the elements at these places, in the same order. */
  named: v.exactOptional(v.array(ChangeName)),
  /** Its text fails its checksum: nothing is known of what it changed. */
  damaged: v.exactOptional(v.boolean()),
});
export type HistoryEntry = Shape<typeof HistoryEntry>;

/** `GET /app/history/{type}/{id}`: a page of a record's versions, newest first. */
export const HistoryPage = v.object({
  /** All versions of the record, not only this page's. */
  total: v.number(),
  versions: v.array(HistoryEntry),
  /** What the next page is asked for with; absent on the last. */
  next: v.exactOptional(v.string()),
});
export type HistoryPage = Shape<typeof HistoryPage>;

/** How many versions a page holds where nothing else is asked for. */
export const historyPageSize = 50;

/** How many of the changed places an entry names. */
export const namedPaths = 3;

/** Returns what an entry of a history tells of the changes of its version. */
export function tellChanges(changes: readonly Change[]): Pick<HistoryEntry, 'changes' | 'paths' | 'named'> {
  const named = changes.slice(0, namedPaths).map(nameChange);
  return { changes: changes.length, paths: named.map(({ pointer }) => pointer), named };
}

/** The address of a page below `/app`. */
export function historyPath(
  type: ResourceType,
  id: string,
  { count = historyPageSize, page }: { readonly count?: number; readonly page?: string } = {},
): string {
  const next = page === undefined ? '' : `&page=${encodeURIComponent(page)}`;
  return `/history/${type}/${encodeURIComponent(id)}?count=${count}${next}`;
}
