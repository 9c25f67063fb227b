/** What page and server say to each other of `POST /app/subject-names`: what subjects are called. */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';

/** More than a screen has rows. */
export const mostNamed = 200;

/** Ids of subjects; a record (`CarePlan/17`) stands for its own subject, which it may contain. */
export const SubjectNamesRequest = v.object({
  of: v.pipe(v.array(v.string()), v.maxLength(mostNamed)),
});

/** `names` by what was asked for; what no record names is left out. */
export const SubjectNames = v.object({ names: v.record(v.string(), v.string()) });
export type SubjectNames = Shape<typeof SubjectNames>;
