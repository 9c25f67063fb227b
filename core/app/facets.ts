/** Data of `GET /app/facets/{type}/{name}`: the values of a search with their counts. */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';

/** Default count of values, and the maximum. */
export const defaultFacetCount = 10;
export const maxValues = 200;

const FacetEntry = v.object({
  /** Display text of the value, or the value itself. */
  label: v.string(),
  count: v.number(),
  /** Search parameters that narrow to this value; empty for a finding. */
  pairs: v.array(v.strictTuple([v.string(), v.string()])),
  rule: v.exactOptional(v.string()),
});
export type FacetEntry = Shape<typeof FacetEntry>;

export const FacetAnswer = v.object({
  /** Most frequent first; months from the latest. */
  values: v.array(FacetEntry),
  total: v.number(),
});
export type FacetAnswer = Shape<typeof FacetAnswer>;
