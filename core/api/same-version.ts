import { equal } from '../json/equal.ts';
import type { JsonNode } from '../json/node.ts';
import { isSameTag } from './precondition.ts';

/** A version as an answer gave it. */
export interface HeldVersion {
  readonly root: JsonNode;
  readonly version?: number | undefined;
  readonly etag?: string | undefined;
}

/** Whether two answers held the same version: by ETag, else by number, else by value. */
export function isSameVersion(one: HeldVersion, other: HeldVersion): boolean {
  if (one.etag !== undefined && other.etag !== undefined) return isSameTag(one.etag, other.etag);
  if (one.version !== undefined && other.version !== undefined) return one.version === other.version;
  return equal(one.root, other.root);
}
