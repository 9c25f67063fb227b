import * as v from 'valibot';
import { changeKinds, nameChange } from '../fhir/record-changes.ts';
import type { ResourceType } from '../fhir/resource.ts';
import type { ElementChange } from '../json/diff.ts';
import type { Shape } from '../json/shape.ts';
import { reasonedMembers } from './authorship.ts';

/** Operation that wrote a version. */
export const WriteOperation = v.picklist(['create', 'update', 'patch', 'import']);
export type WriteOperation = Shape<typeof WriteOperation>;

/** One change without its values (`core/fhir/record-changes.ts`). */
const ChangeName = v.object({
  kind: v.picklist(changeKinds),
  /** JSON Pointer in this version; for a removed element, in the version before. */
  pointer: v.string(),
  /** JSON Pointer in the version before, if it differs. */
  from: v.exactOptional(v.string()),
  /** Title of an element that was added, removed or moved. */
  title: v.exactOptional(v.string()),
});

/** Version of a record in its history, without its text. */
const HistoryEntry = v.object({
  version: v.number(),
  /** An instant with milliseconds, UTC. */
  lastUpdated: v.string(),
  operation: WriteOperation,
  ...reasonedMembers,
  /** Count of changed elements; 0 for the first version. */
  changes: v.number(),
  /** JSON Pointers of the first changes. */
  paths: v.array(v.string()),
  /** Names of these changes, in the same order. */
  named: v.exactOptional(v.array(ChangeName)),
  /** True if the text fails its checksum. Its changes are unknown. */
  damaged: v.exactOptional(v.boolean()),
});
export type HistoryEntry = Shape<typeof HistoryEntry>;

/** `GET /app/history/{type}/{id}`: a page of a record's versions, newest first. */
export const HistoryPage = v.object({
  total: v.number(),
  versions: v.array(HistoryEntry),
  /** Cursor of the next page; absent on the last. */
  next: v.exactOptional(v.string()),
});
export type HistoryPage = Shape<typeof HistoryPage>;

/** Default count of versions on a page. */
export const historyPageSize = 50;

/** Count of changes that an entry names. */
export const namedPaths = 3;

/** Returns the members of a history entry that describe its changes. */
export function tellChanges(
  changes: readonly ElementChange[],
): Pick<HistoryEntry, 'changes' | 'paths' | 'named'> {
  const changeNames = changes.slice(0, namedPaths).map(nameChange);
  return { changes: changes.length, paths: changeNames.map(({ pointer }) => pointer), named: changeNames };
}

/** Returns the path of a history page below `/app`. */
export function historyPath(
  type: ResourceType,
  id: string,
  { count = historyPageSize, page }: { readonly count?: number; readonly page?: string } = {},
): string {
  const next = page === undefined ? '' : `&page=${encodeURIComponent(page)}`;
  return `/history/${type}/${encodeURIComponent(id)}?count=${count}${next}`;
}
