/** Data of `POST /app/reference-names`: names of referenced resources. */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';

/** Limit of one request; more than a screen shows. */
export const mostReferences = 200;

/** Literal references of records. */
export const ReferenceNamesRequest = v.object({
  of: v.pipe(v.array(v.string()), v.maxLength(mostReferences)),
  /** Record that contains them (`Composition/17`). Its own import comes first. */
  record: v.exactOptional(v.string()),
});

const ReferredName = v.object({
  type: v.string(),
  /** Name without modifiers. Show it only together with them. */
  name: v.string(),
  modifiers: v.array(v.object({ words: v.string(), negates: v.boolean() })),
  /** True if another import than that of the record brought it. */
  otherImport: v.exactOptional(v.literal(true)),
});
export type ReferredName = Shape<typeof ReferredName>;

/** Names by reference. References to resources that are not stored are left out. */
export const ReferenceNames = v.object({
  names: v.record(v.string(), ReferredName),
  /** References that several imports have different resources for. None of them is named. */
  ambiguous: v.exactOptional(v.array(v.string())),
});
export type ReferenceNames = Shape<typeof ReferenceNames>;
