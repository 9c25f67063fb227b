import { FhirError } from '../fhir/outcome.ts';
import { defineMessages } from '../text/message.ts';

const messages = defineMessages('request', { ifMatch: 'If-Match must be an ETag such as W/"3", or *.' });

/** Returns the ETag of a version (FHIR R4 http.html#versioning): weak, the version's number. */
export function etagOf(version: number): string {
  return `W/"${version}"`;
}

/**
 * Suffix that proxies append to the tag of a compressed response: Apache `-gzip` or `-br`, Jetty `--gzip`.
 */
const codingSuffix = /--?(gzip|br|deflate|zstd)"(\s*)$/;

/**
 * Parses the version number of a local ETag; undefined for other tags. Local tags are numbers, so a content
 * coding suffix is never part of them and is ignored.
 */
export function versionOf(etag: string): number | undefined {
  const plainTag = etag.replace(codingSuffix, '"$2');
  const digits = /^\s*(?:W\/)?"(0|[1-9][0-9]{0,14})"\s*$/.exec(plainTag)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Returns the ETag of any server without the suffix of a content coding, if the response has that coding.
 * Otherwise the suffix may be part of the server's tag.
 */
export function withoutCoding(etag: string, contentEncoding: string | null | undefined): string {
  const coding = codingSuffix.exec(etag)?.[1];
  const codings = (contentEncoding ?? '').toLowerCase().split(',');
  const isCoded = codings.some((listedCoding) => listedCoding.trim().replace(/^x-/, '') === coding);
  return isCoded ? etag.replace(codingSuffix, '"$2') : etag;
}

/** Returns the If-Match of a version: its ETag, otherwise the R4 form of its versionId. */
export function ifMatchOf(base: {
  readonly etag?: string | undefined;
  readonly versionId?: string | undefined;
}): string | undefined {
  const { etag, versionId = '' } = base;
  return etag ?? (idPattern.test(versionId) ? `W/"${versionId}"` : undefined);
}

/** Returns true if two ETags are equal in weak comparison (RFC 9110 section 8.8.3.2). */
export function isSameTag(tag: string, otherTag: string): boolean {
  return tag.replace(/^W\//, '') === otherTag.replace(/^W\//, '');
}

const idPattern = /^[A-Za-z0-9.-]{1,64}$/;

/** Returns the version id in an ETag (FHIR R4 http.html#versioning); undefined if it is not a FHIR id. */
export function versionIdOf(etag: string): string | undefined {
  return /^\s*(?:W\/)?"([A-Za-z0-9.-]{1,64})"\s*$/.exec(etag)?.[1];
}

/**
 * Parses the versions of an If-Match header (RFC 9110 section 13.1.1), compared weakly.
 *
 * @returns `any` for `*` or no header.
 * @throws FhirError `value` if the header is malformed.
 */
export function parseIfMatch(header: string | undefined): readonly number[] | 'any' {
  if (header === undefined || header.trim() === '*') return 'any';
  // Empty elements of a list are ignored (RFC 9110 section 5.6.1).
  const tags = header.split(',').filter((tag) => tag.trim() !== '');
  const versions = tags.flatMap((tag) => versionOf(tag) ?? []);
  if (tags.length > 0 && versions.length === tags.length) return versions;
  throw new FhirError('value', {
    ...messages.ifMatch(),
    location: 'http.If-Match',
  });
}

/**
 * Returns true if an If-None-Match header matches a version (RFC 9110 section 13.1.2), compared weakly. `*`
 * matches any.
 */
export function namesVersion(header: string, version: number): boolean {
  return header.trim() === '*' || header.split(',').some((tag) => versionOf(tag) === version);
}

const patterns = [
  // IMF-fixdate, and RFC 850 with dashes and the full weekday.
  /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -](?:\d{4}|\d\d) \d\d:\d\d:\d\d GMT$/,
  // asctime, which has no time zone and means GMT.
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];

/**
 * Parses an HTTP date in any of its three forms (RFC 9110 section 5.6.7) to milliseconds; undefined for other
 * text.
 */
export function parseHttpDate(text: string): number | undefined {
  if (!patterns.some((form) => form.test(text))) return undefined;
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}

/** Returns true if an instant is not later than an HTTP date, in whole seconds. */
export function isUnmodifiedSince(instant: string, date: number): boolean {
  return Math.floor(Date.parse(instant) / 1000) * 1000 <= date;
}

/** Cache of formatted days. Records of a store share few days. */
const formattedDays = new Map<string, string>();
const maxDays = 1000;

/** Formats an instant of the server (`2026-11-21T10:20:30.123Z`) as HTTP date with whole seconds. */
export function formatHttpDate(instant: string): string {
  const date = instant.slice(0, 10);
  let day = formattedDays.get(date);
  if (day === undefined) {
    if (formattedDays.size >= maxDays) formattedDays.clear();
    day = new Date(date).toUTCString().slice(0, 'Sat, 21 Nov 2026'.length);
    formattedDays.set(date, day);
  }
  return `${day} ${instant.slice(11, 19)} GMT`;
}

/**
 * Parses a Retry-After header: a count of seconds or an HTTP date (RFC 9110 section 10.2.3).
 *
 * @param now - Milliseconds since the epoch.
 * @returns Seconds to wait; undefined without a valid header.
 */
export function secondsToWait(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const instant = /[a-z]/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(instant) ? undefined : Math.max(0, Math.ceil((instant - now) / 1000));
}
