/** Data of `POST /app/subject-names`: names of subjects. */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';

/** Limit of one request; more than the rows of a screen. */
export const maxSubjectNames = 200;

/** Ids of subjects. A record (`CarePlan/17`) stands for its subject, which may be a contained resource. */
export const SubjectNamesRequest = v.object({
  of: v.pipe(v.array(v.string()), v.maxLength(maxSubjectNames)),
});

/** Names by requested id. Unknown names are left out. */
export const SubjectNames = v.object({ names: v.record(v.string(), v.string()) });
export type SubjectNames = Shape<typeof SubjectNames>;
