/** Data of `/app/companions`: resources that were imported together with records. */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';

/** `GET /app/companions`. */
export const SupportingResourceList = v.object({
  /** In order of type names. */
  types: v.array(v.object({ type: v.string(), count: v.number() })),
});
export type SupportingResourceList = Shape<typeof SupportingResourceList>;

/** Response of `DELETE /app/companions` and `DELETE /app/companions/{type}`. */
export const SupportingResourcesRemoved = v.object({ removed: v.number() });
export type SupportingResourcesRemoved = Shape<typeof SupportingResourcesRemoved>;

/**
 * Returns the path, below `/app`, of the target of a literal reference.
 *
 * @param record - Record that contains the reference (`CarePlan/17`). Its own import comes first.
 */
export function supportingResourcePath(reference: string, record?: string): string {
  const context = record === undefined ? '' : `&record=${encodeURIComponent(record)}`;
  return `/companions/resolve?reference=${encodeURIComponent(reference)}${context}`;
}
