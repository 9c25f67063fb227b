/** What page and server say to each other of `POST /app/issue-counts`: how many issues the named records have. */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';

/** As many as a page of a search holds. */
export const mostCounted = 1000;

export const IssueCountsRequest = v.object({
  type: v.picklist(resourceTypes),
  ids: v.pipe(v.array(v.string()), v.maxLength(mostCounted)),
});

/** Errors and warnings by id; a record without issues is left out. */
export const IssueCountsAnswer = v.record(v.string(), v.strictTuple([v.number(), v.number()]));
export type IssueCountsAnswer = Shape<typeof IssueCountsAnswer>;
