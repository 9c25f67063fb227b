import { namesVersion, parseIfMatch, parseHttpDate, isUnmodifiedSince } from '../../core/api/precondition.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { StoredVersion } from '../store/store.ts';
import { stale, withoutIfMatch } from './service-errors.ts';

/** The conditions of a change, as their headers were sent. */
export interface Conditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly ifUnmodifiedSince?: string | undefined;
}

/**
 * Checks the conditions of a write (rows 30 to 32, RFC 9110 section 13.2.2). A sent condition is never
 * ignored: otherwise an update could overwrite a version that its sender wanted to keep.
 *
 * @throws FhirError `stale` if a condition is not met; `value` if If-Match is malformed; `required` if a
 *   condition is missing.
 */
export function checkConditions(
  type: ResourceType,
  { ifMatch, ifNoneMatch, ifUnmodifiedSince }: Conditions,
  { version, lastUpdated }: Pick<StoredVersion, 'version' | 'lastUpdated'>,
  requireIfMatch: boolean,
): void {
  if (requireIfMatch && ifMatch === undefined) throw withoutIfMatch();
  const accepted = parseIfMatch(ifMatch);
  if (accepted !== 'any' && !accepted.includes(version)) throw stale(type, version);
  const date = ifMatch === undefined ? parseHttpDate(ifUnmodifiedSince ?? '') : undefined;
  if (date !== undefined && !isUnmodifiedSince(lastUpdated, date)) {
    throw stale(type, version, 'If-Unmodified-Since');
  }
  if (ifNoneMatch !== undefined && namesVersion(ifNoneMatch, version)) {
    throw stale(type, version, 'If-None-Match');
  }
}
