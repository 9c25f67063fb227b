import { FhirError } from '../fhir/outcome.ts';

/** The ETag of a version (FHIR R4 http.html#versioning): weak, the version's number. */
export function etagOf(version: number): string {
  return `W/"${version}"`;
}

/** The version number of an ETag, or undefined where it is none of ours. */
export function versionOf(etag: string): number | undefined {
  const digits = /^\s*(?:W\/)?"([0-9]{1,15})"\s*$/.exec(etag)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * The versions that an If-Match header accepts (RFC 9110 section 13.1.1), compared weakly; `any` for `*` or no header.
 *
 * @throws FhirError `value` where the header is malformed.
 */
export function parseIfMatch(header: string | undefined): readonly number[] | 'any' {
  if (header === undefined || header.trim() === '*') return 'any';
  return header.split(',').map((tag) => {
    const version = versionOf(tag);
    if (version !== undefined) return version;
    throw new FhirError('value', {
      text: 'If-Match must hold an ETag of this record such as W/"3", or *.',
      location: 'http.If-Match',
    });
  });
}
