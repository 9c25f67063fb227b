/** Data of `POST /app/issue-counts`: counts of issues by record. */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';

/** Maximum count of ids; the size of a search page. */
export const maxCountedIds = 1000;

export const IssueCountsRequest = v.object({
  type: v.picklist(resourceTypes),
  ids: v.pipe(v.array(v.string()), v.maxLength(maxCountedIds)),
});

/** Counts of errors and warnings by id. Records without issues are left out. */
export const IssueCountsAnswer = v.record(v.string(), v.strictTuple([v.number(), v.number()]));
export type IssueCountsAnswer = Shape<typeof IssueCountsAnswer>;
