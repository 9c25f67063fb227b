/** What page and server say to each other of `GET /app/facets/{type}/{name}`: the values of a search with their counts. */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';

/** Values that are shown where nothing else is asked, and at most. */
export const usualValues = 10;
export const mostValues = 200;

const FacetEntry = v.object({
  /** What a record calls the value, or the value itself. */
  label: v.string(),
  /** Matches that have it. */
  count: v.number(),
  /** Pairs of name and value that narrow the search to these; none for a finding. */
  pairs: v.array(v.strictTuple([v.string(), v.string()])),
  /** The rule, of a finding. */
  rule: v.exactOptional(v.string()),
});
export type FacetEntry = Shape<typeof FacetEntry>;

export const FacetAnswer = v.object({
  /** The most frequent first; months the latest first. */
  values: v.array(FacetEntry),
  /** How many values there are. */
  total: v.number(),
});
export type FacetAnswer = Shape<typeof FacetAnswer>;
