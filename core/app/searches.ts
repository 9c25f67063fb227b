/**
 * What page and server say to each other of searches that are kept: recent ones (`/app/recents`), and those that were
 * given a name (`/app/searches`).
 */
import { isResourceType, type ResourceType } from '../fhir/resource.ts';

/** A search as the API takes it: names (with their modifiers) and values (with their prefixes), in order. */
export interface SearchQuery {
  readonly type: ResourceType;
  readonly pairs: readonly (readonly [name: string, value: string])[];
}

/** `GET /app/searches`: by name. */
export interface SavedSearch extends SearchQuery {
  readonly id: number;
  readonly name: string;
}

export const searchLimits = { recent: 20, saved: 200, name: 80, pairs: 50, value: 2000 } as const;

export function isSearchQuery(value: unknown): value is SearchQuery {
  return (
    isObject(value) &&
    typeof value.type === 'string' &&
    isResourceType(value.type) &&
    Array.isArray(value.pairs) &&
    value.pairs.length <= searchLimits.pairs &&
    value.pairs.every(isPair)
  );
}

function isPair(value: unknown): value is readonly [string, string] {
  return (
    Array.isArray(value) && value.length === 2 && value.every((part) => isText(part, searchLimits.value))
  );
}

/** `GET /app/recents`: newest first, each once. */
export function isSearchList(value: unknown): value is readonly SearchQuery[] {
  return Array.isArray(value) && value.every(isSearchQuery);
}

/** Whether a text can name a saved search. */
export function isSearchName(value: unknown): value is string {
  return isText(value, searchLimits.name) && value !== '' && value.trim() === value && !/\p{Cc}/u.test(value);
}

export function isSavedSearch(value: unknown): value is SavedSearch {
  return (
    isObject(value) && typeof value.id === 'number' && typeof value.name === 'string' && isSearchQuery(value)
  );
}

export function isSavedList(value: unknown): value is readonly SavedSearch[] {
  return Array.isArray(value) && value.every(isSavedSearch);
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value.length <= longest;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
