import { equal } from '../json/equal.ts';
import type { JsonNode } from '../json/node.ts';

/** A version as an answer gave it. */
export interface HeldVersion {
  readonly root: JsonNode;
  readonly version?: number | undefined;
  readonly etag?: string | undefined;
}

/** Whether two answers held the same version: by ETag, else by number, else by value. */
export function isSameVersion(one: HeldVersion, other: HeldVersion): boolean {
  if (one.etag !== undefined && other.etag !== undefined) return opaque(one.etag) === opaque(other.etag);
  if (one.version !== undefined && other.version !== undefined) return one.version === other.version;
  return equal(one.root, other.root);
}

/** Compared weakly, RFC 9110 section 8.8.3.2: a proxy that compresses marks a strong tag as weak. */
function opaque(etag: string): string {
  return etag.replace(/^W\//, '');
}
