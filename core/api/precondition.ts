import { FhirError } from '../fhir/outcome.ts';

/** The ETag of a version (FHIR R4 http.html#versioning): weak, the version's number. */
export function etagOf(version: number): string {
  return `W/"${version}"`;
}

/** What front servers append to the tag of an answer that they compress: Apache `-gzip` or `-br`, Jetty `--gzip`. */
const codingSuffix = /--?(gzip|br|deflate|zstd)"(\s*)$/;

/**
 * The version number of an ETag, or undefined where it is none of ours. Our tags are numbers, so that the suffix of a
 * content coding can be no part of one: the tag is that of the version behind it.
 */
export function versionOf(etag: string): number | undefined {
  const bare = etag.replace(codingSuffix, '"$2');
  const digits = /^\s*(?:W\/)?"(0|[1-9][0-9]{0,14})"\s*$/.exec(bare)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Returns an ETag of any server without the suffix of a content coding, where the answer came in that coding. Without
 * the coding, a suffix may be part of the server's own tag, and stays.
 */
export function withoutCoding(etag: string, contentEncoding: string | null | undefined): string {
  const coding = codingSuffix.exec(etag)?.[1];
  const codings = (contentEncoding ?? '').toLowerCase().split(',');
  const isCoded = codings.some((one) => one.trim().replace(/^x-/, '') === coding);
  return isCoded ? etag.replace(codingSuffix, '"$2') : etag;
}

/** Returns the If-Match that names a version: its ETag, else the one that R4 gives its versionId. */
export function ifMatchOf(base: {
  readonly etag?: string | undefined;
  readonly versionId?: string | undefined;
}): string | undefined {
  const { etag, versionId = '' } = base;
  return etag ?? (idForm.test(versionId) ? `W/"${versionId}"` : undefined);
}

/** Returns whether two ETags name one version, compared weakly (RFC 9110 section 8.8.3.2). */
export function isSameTag(one: string, other: string): boolean {
  return one.replace(/^W\//, '') === other.replace(/^W\//, '');
}

const idForm = /^[A-Za-z0-9.-]{1,64}$/;

/** What a server calls the version that an ETag is of (FHIR R4 http.html#versioning); undefined where it is no FHIR id. */
export function versionIdOf(etag: string): string | undefined {
  return /^\s*(?:W\/)?"([A-Za-z0-9.-]{1,64})"\s*$/.exec(etag)?.[1];
}

/**
 * The versions that an If-Match header accepts (RFC 9110 section 13.1.1), compared weakly; `any` for `*` or no header.
 *
 * @throws FhirError `value` where the header is malformed.
 */
export function parseIfMatch(header: string | undefined): readonly number[] | 'any' {
  if (header === undefined || header.trim() === '*') return 'any';
  // Empty elements of a list are left out (RFC 9110 section 5.6.1).
  const tags = header.split(',').filter((tag) => tag.trim() !== '');
  const versions = tags.flatMap((tag) => versionOf(tag) ?? []);
  if (tags.length > 0 && versions.length === tags.length) return versions;
  throw new FhirError('value', {
    text: 'If-Match must hold an ETag of this record such as W/"3", or *.',
    location: 'http.If-Match',
  });
}

/** Whether an If-None-Match header names a version (RFC 9110 section 13.1.2), compared weakly; `*` names each. */
export function namesVersion(header: string, version: number): boolean {
  return header.trim() === '*' || header.split(',').some((tag) => versionOf(tag) === version);
}
