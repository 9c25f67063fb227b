import type { ResourceType } from '../fhir/resource.ts';
import type { JsonObject } from '../json/node.ts';

/** A quick fix: its id, the rule whose findings it mends, and its words. */
export interface BulkFix {
  readonly id: string;
  readonly rule: string;
  readonly words: string;
}

/** The quick fixes that a run can apply. */
export const fixes: readonly BulkFix[] = [];

/** A record with every finding mended that a fix mends; undefined where it has none. */
export function mendAll(
  _root: JsonObject,
  _type: ResourceType,
  _fix: string,
  _options: { readonly today: string },
): { readonly root: JsonObject; readonly mended: number } | undefined {
  return undefined;
}
