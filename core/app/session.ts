/**
 * What was open in the workbench, so that the next start begins where the last one ended: `GET` and `PUT /app/session`.
 * Text of records is never in it.
 */
import { isResourceType, type ResourceType } from '../fhir/resource.ts';

/** A record by its name, and what it was called. */
export interface NamedRecord {
  readonly type: ResourceType;
  readonly id: string;
  readonly title: string;
}

export type SavedTab =
  | { readonly kind: 'record'; readonly record: NamedRecord }
  | { readonly kind: 'view'; readonly view: string };

export interface SavedSearch {
  readonly type: ResourceType;
  /** Search parameters with their values. */
  readonly pairs: readonly (readonly [name: string, value: string])[];
}

export interface WorkbenchSession {
  readonly tabs: readonly SavedTab[];
  /** Index of the tab in front; -1 is the search. */
  readonly active: number;
  readonly search?: SavedSearch;
  /** Records opened at last, newest first. */
  readonly recent: readonly NamedRecord[];
}

export const emptySession: WorkbenchSession = { tabs: [], active: -1, recent: [] };

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNamedRecord(value: unknown): value is NamedRecord {
  if (!isFields(value)) return false;
  const { type, id, title } = value;
  return (
    typeof type === 'string' && isResourceType(type) && typeof id === 'string' && typeof title === 'string'
  );
}

function isSavedTab(value: unknown): value is SavedTab {
  if (!isFields(value)) return false;
  if (value.kind === 'view') return typeof value.view === 'string';
  return value.kind === 'record' && isNamedRecord(value.record);
}

function isSavedSearch(value: unknown): value is SavedSearch {
  if (!isFields(value) || typeof value.type !== 'string' || !isResourceType(value.type)) return false;
  return Array.isArray(value.pairs) && value.pairs.every(isPair);
}

function isPair(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');
}

export function isWorkbenchSession(value: unknown): value is WorkbenchSession {
  if (!isFields(value)) return false;
  const { tabs, active, search, recent } = value;
  return (
    Array.isArray(tabs) &&
    tabs.every(isSavedTab) &&
    Number.isInteger(active) &&
    (search === undefined || isSavedSearch(search)) &&
    Array.isArray(recent) &&
    recent.every(isNamedRecord)
  );
}
