import { namesVersion, parseIfMatch } from '../../core/api/precondition.ts';
import { httpDate, isUnmodifiedSince } from '../../core/api/http-date.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { StoredVersion } from '../store/store.ts';
import { stale, withoutIfMatch } from './faults.ts';

/** The conditions of a change, as their headers were sent. */
export interface Conditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly ifUnmodifiedSince?: string | undefined;
}

/**
 * Rows 30 to 32, and what RFC 9110 section 13.2.2 asks of a method that changes something: a condition that was sent is
 * never ignored, or an update overwrites what its sender wanted to keep.
 *
 * @throws FhirError `stale` where a condition is not met, `value` where If-Match is malformed, `required` where there
 *   has to be one.
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
  const date = ifMatch === undefined ? httpDate(ifUnmodifiedSince ?? '') : undefined;
  if (date !== undefined && !isUnmodifiedSince(lastUpdated, date)) {
    throw stale(type, version, 'If-Unmodified-Since');
  }
  if (ifNoneMatch !== undefined && namesVersion(ifNoneMatch, version)) {
    throw stale(type, version, 'If-None-Match');
  }
}
