import { detailsOf, toOutcome, type FhirError } from './outcome.ts';
import type { Message } from '../text/message.ts';

/** A match as the store keeps it: exact JSON in UTF-8, neither parsed nor decoded. */
interface Match {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** Stands in the place of what cannot be answered, and says why. */
interface Unanswered {
  readonly fault: FhirError;
}

/** A part of an answer's text; bytes are UTF-8. */
export type Piece = string | Uint8Array;

/** An entry of a Bundle: its resource, and what stands around it. */
export interface Entry {
  readonly before: string;
  readonly resource: Piece;
  readonly behind: string;
}

/** A Bundle entry by entry, so that no answer has to be held as a whole. */
export interface Bundle {
  /** The JSON text as far as the first entry; {@link bundleEnd} stands behind the last. */
  readonly head: string;
  readonly entries: Iterable<Entry>;
}

export interface Link {
  readonly relation: 'self' | 'first' | 'previous' | 'next';
  /** Absolute. */
  readonly url: string;
}

export interface SearchSet {
  /** All matches, not only those of this page; absent where it was not asked for. */
  readonly total: number | undefined;
  readonly matches: Iterable<Match | Unanswered>;
  /** Answered beside the matches: what they refer to, or what refers to them; a sentence where not all of it is there. */
  readonly included?: { readonly records: Iterable<Match | Unanswered>; readonly cut?: Message | undefined };
  readonly links: readonly Link[];
  /** Absolute URL of the type, without a trailing slash. */
  readonly typeUrl: string;
}

/** A version as a history tells of it. */
interface PastVersion {
  readonly id: string;
  /** Exact JSON. */
  readonly text: string;
  readonly version: number;
  readonly lastUpdated: string;
  readonly operation: 'create' | 'update' | 'patch' | 'import';
}

export interface HistorySet {
  readonly total: number;
  readonly type: string;
  /** Newest first. */
  readonly versions: Iterable<PastVersion | (Omit<PastVersion, 'text'> & Unanswered)>;
  readonly links: readonly Link[];
  /** Absolute URL of the type, without a trailing slash. */
  readonly typeUrl: string;
}

/** The searchset Bundle (FHIR R4 http.html#search); each resource's bytes stand in it untouched. */
export function searchSet({ total, matches, included, links, typeUrl }: SearchSet): Bundle {
  const entries = function* (): Generator<Entry> {
    yield* foundEntries(typeUrl, matches, 'match');
    if (included) yield* foundEntries(typeUrl, included.records, 'include');
    if (included?.cut === undefined) return;
    const issue = { severity: 'warning', code: 'incomplete', details: detailsOf(included.cut) };
    yield { ...outcomeWith([issue]), behind: behindFound('outcome') };
  };
  return { head: bundleHead('searchset', total, links), entries: { [Symbol.iterator]: entries } };
}

function* foundEntries(
  typeUrl: string,
  found: SearchSet['matches'],
  mode: 'match' | 'include',
): Generator<Entry> {
  for (const one of found) {
    yield 'fault' in one
      ? { ...outcomeOf(one), behind: behindFound('outcome') }
      : { ...resourceAt(`${typeUrl}/${one.id}`, one.bytes), behind: behindFound(mode) };
  }
}

function behindFound(mode: string): string {
  return `,"search":{"mode":"${mode}"}}`;
}

function outcomeWith(issue: readonly object[]): Opening {
  return { before: '{"resource":', resource: JSON.stringify({ resourceType: 'OperationOutcome', issue }) };
}

/** The history Bundle (FHIR R4 http.html#history) likewise: what was asked for each version, and the answer. */
export function historySet({ total, type, versions, links, typeUrl }: HistorySet): Bundle {
  return { head: bundleHead('history', total, links), entries: versionEntries(typeUrl, type, versions) };
}

function* versionEntries(typeUrl: string, type: string, versions: HistorySet['versions']): Generator<Entry> {
  for (const past of versions) {
    const { id, version, lastUpdated, operation } = past;
    const { method, path, status } = requests[operation];
    const request = { method, url: path ? `${type}/${id}` : type };
    // An import keeps the id that a record brings: a PUT that stored a first version.
    const created = version === 1 ? '201 Created' : status;
    const response = { status: created, etag: `W/"${version}"`, lastModified: lastUpdated };
    const behind = `,"request":${JSON.stringify(request)},"response":${JSON.stringify(response)}}`;
    yield { ...('fault' in past ? outcomeOf(past) : resourceAt(`${typeUrl}/${id}`, past.text)), behind };
  }
}

/** The beginning of an entry, and its resource. */
type Opening = Omit<Entry, 'behind'>;

function resourceAt(fullUrl: string, resource: Piece): Opening {
  return { before: `{"fullUrl":${JSON.stringify(fullUrl)},"resource":`, resource };
}

/** What stands there is no version of the record: it bears no URL of one. */
function outcomeOf({ fault }: Unanswered): Opening {
  return { before: '{"resource":', resource: JSON.stringify(toOutcome(fault)) };
}

const requests = {
  create: { method: 'POST', path: false, status: '201 Created' },
  update: { method: 'PUT', path: true, status: '200 OK' },
  patch: { method: 'PATCH', path: true, status: '200 OK' },
  import: { method: 'PUT', path: true, status: '200 OK' },
} as const;

/** The text of a Bundle as far as its first entry. */
function bundleHead(type: string, total: number | undefined, links: readonly Link[]): string {
  const counted = total === undefined ? '' : `"total":${total},`;
  return `{"resourceType":"Bundle","type":"${type}",${counted}"link":${JSON.stringify(links)},"entry":[`;
}

/** A resource under the address by which the others name it. */
export interface DocumentEntry {
  readonly fullUrl: string;
  readonly bytes: Uint8Array;
}

export interface DocumentSet {
  /** A version 4 UUID: of this document, and of no other (bdl-9). */
  readonly uuid: string;
  /** When it was put together, in ISO 8601 (bdl-10). */
  readonly timestamp: string;
  /** The Composition first (bdl-11). */
  readonly parts: readonly DocumentEntry[];
  /** What it refers to and does not hold, each with the reason; said at its end. */
  readonly absent: readonly { readonly path: string; readonly message: Message }[];
}

/** The document Bundle (FHIR R4 documents.html). */
export function documentSet({ uuid, timestamp, parts, absent }: DocumentSet): Bundle {
  const identifier = JSON.stringify({ system: 'urn:ietf:rfc:3986', value: `urn:uuid:${uuid}` });
  const entries = parts.map(({ fullUrl, bytes }): Entry => ({ ...resourceAt(fullUrl, bytes), behind: '}' }));
  const issue = absent.map(({ path, message }) => ({
    severity: 'information',
    code: 'not-found',
    details: detailsOf(message),
    expression: [path],
  }));
  if (issue.length > 0) entries.push({ ...outcomeWith(issue), behind: '}' });
  const head = `{"resourceType":"Bundle","identifier":${identifier},"type":"document","timestamp":"${timestamp}","entry":[`;
  return { head, entries };
}

/** What stands behind the last entry. */
export const bundleEnd = ']}';
