/** What page and server say to each other of `POST /app/reference-names`: what references lead to, and what that means. */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';

/** More than a screen shows. */
export const mostReferences = 200;

/** Literal references, as records have them. */
export const ReferenceNamesRequest = v.object({
  of: v.pipe(v.array(v.string()), v.maxLength(mostReferences)),
});

const ReferredName = v.object({
  type: v.string(),
  /** Without modifiers: to be shown with them alone. */
  name: v.string(),
  modifiers: v.array(v.object({ words: v.string(), negates: v.boolean() })),
});
export type ReferredName = Shape<typeof ReferredName>;

/** `names` by reference; what this store does not hold is left out. */
export const ReferenceNames = v.object({ names: v.record(v.string(), ReferredName) });
export type ReferenceNames = Shape<typeof ReferenceNames>;
