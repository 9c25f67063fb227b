/** What page and server say to each other of `/app/companions`: resources that came with records and are none. */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';

/** `GET /app/companions`. */
export const CompanionList = v.object({
  /** In the order of their names. */
  types: v.array(v.object({ type: v.string(), count: v.number() })),
});
export type CompanionList = Shape<typeof CompanionList>;

/** The answer of `DELETE /app/companions` and `DELETE /app/companions/{type}`. */
export const CompanionsRemoved = v.object({ removed: v.number() });
export type CompanionsRemoved = Shape<typeof CompanionsRemoved>;

/** The address, below `/app`, of what a literal reference leads to. */
export function companionPath(reference: string): string {
  return `/companions/resolve?reference=${encodeURIComponent(reference)}`;
}
