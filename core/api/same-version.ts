import { equal, type JsonNode } from '../json/node.ts';
import { isSameTag } from './precondition.ts';

export interface LoadedVersion {
  readonly root: JsonNode;
  readonly version?: number | undefined;
  readonly etag?: string | undefined;
}

/** Returns true if two responses have the same version: by ETag, otherwise by number, otherwise by value. */
export function isSameVersion(version: LoadedVersion, otherVersion: LoadedVersion): boolean {
  if (version.etag !== undefined && otherVersion.etag !== undefined)
    return isSameTag(version.etag, otherVersion.etag);
  if (version.version !== undefined && otherVersion.version !== undefined)
    return version.version === otherVersion.version;
  return equal(version.root, otherVersion.root);
}
