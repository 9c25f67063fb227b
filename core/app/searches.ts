/** Data of stored searches: recent ones (`/app/recents`) and named ones (`/app/searches`). */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';

export const searchLimits = { recent: 20, saved: 200, name: 80, pairs: 50, value: 2000 } as const;

const Text = v.pipe(v.string(), v.maxLength(searchLimits.value));

/** Search as in the API: names with modifiers and values with prefixes, in order. */
export const SearchQuery = v.object({
  type: v.picklist(resourceTypes),
  pairs: v.pipe(v.array(v.strictTuple([Text, Text])), v.maxLength(searchLimits.pairs)),
});
export type SearchQuery = Shape<typeof SearchQuery>;

/** `GET /app/recents`: latest first, without duplicates. */
export const SearchList = v.array(SearchQuery);

export const SavedSearch = v.object({ ...SearchQuery.entries, id: v.number(), name: v.string() });
export type SavedSearch = Shape<typeof SavedSearch>;

/** `GET /app/searches`: by name. */
export const SavedList = v.array(SavedSearch);

/** Name of a saved search: no control characters, no spaces at its ends. */
export const SearchName = v.object({
  name: v.pipe(v.string(), v.maxLength(searchLimits.name), v.regex(/^(?!\s)[^\p{Cc}]+(?<!\s)$/u)),
});
