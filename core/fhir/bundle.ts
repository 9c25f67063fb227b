import { toOutcome, type FhirError } from './outcome.ts';

/** A match as the store keeps it: exact JSON in UTF-8, neither parsed nor decoded. */
export interface Match {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** Stands in the place of what cannot be answered, and says why. */
interface Unanswered {
  readonly fault: FhirError;
}

/** A part of an answer's text; bytes are UTF-8. Of a Bundle's pieces each second one is a resource. */
export type Piece = string | Uint8Array;

export interface Link {
  readonly relation: 'self' | 'first' | 'previous' | 'next';
  /** Absolute. */
  readonly url: string;
}

export interface SearchSet {
  /** All matches, not only those of this page. */
  readonly total: number;
  readonly matches: readonly (Match | Unanswered)[];
  readonly links: readonly Link[];
  /** Absolute URL of the type, without a trailing slash. */
  readonly typeUrl: string;
}

/** A version as a history tells of it. */
export interface PastVersion {
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
  readonly versions: readonly (PastVersion | (Omit<PastVersion, 'text'> & Unanswered))[];
  readonly links: readonly Link[];
  /** Absolute URL of the type, without a trailing slash. */
  readonly typeUrl: string;
}

/** The searchset Bundle (FHIR R4 http.html#search) in pieces of JSON; each resource's bytes stand in it untouched. */
export function searchSetPieces({ total, matches, links, typeUrl }: SearchSet): Piece[] {
  const pieces: Piece[] = [];
  let before = bundleHead('searchset', total, links);
  for (const match of matches) {
    const [head, resource] = 'fault' in match ? outcomeOf(match) : entryOf(typeUrl, match.id, match.bytes);
    pieces.push(before + head, resource);
    before = `,"search":{"mode":"${'fault' in match ? 'outcome' : 'match'}"}},`;
  }
  return [...pieces, lastOf(before, matches) + bundleEnd];
}

/** The history Bundle (FHIR R4 http.html#history) likewise: what was asked for each version, and the answer. */
export function historyPieces({ total, type, versions, links, typeUrl }: HistorySet): Piece[] {
  const pieces: Piece[] = [];
  let before = bundleHead('history', total, links);
  for (const past of versions) {
    const { id, version, lastUpdated, operation } = past;
    const [head, resource] = 'fault' in past ? outcomeOf(past) : entryOf(typeUrl, id, past.text);
    pieces.push(before + head, resource);
    const { method, path, status } = requests[operation];
    const request = { method, url: path ? `${type}/${id}` : type };
    // An import keeps the id that a record brings: a PUT that stored a first version.
    const created = version === 1 ? '201 Created' : status;
    const response = { status: created, etag: `W/"${version}"`, lastModified: lastUpdated };
    before = `,"request":${JSON.stringify(request)},"response":${JSON.stringify(response)}},`;
  }
  return [...pieces, lastOf(before, versions) + bundleEnd];
}

/** The beginning of an entry, and its resource. */
type Entry = readonly [head: string, resource: Piece];

function entryOf(typeUrl: string, id: string, resource: Piece): Entry {
  return [`{"fullUrl":${JSON.stringify(`${typeUrl}/${id}`)},"resource":`, resource];
}

/** What stands there is no version of the record: it bears no URL of one. */
function outcomeOf({ fault }: Unanswered): Entry {
  return ['{"resource":', JSON.stringify(toOutcome(fault))];
}

const requests = {
  create: { method: 'POST', path: false, status: '201 Created' },
  update: { method: 'PUT', path: true, status: '200 OK' },
  patch: { method: 'PATCH', path: true, status: '200 OK' },
  import: { method: 'PUT', path: true, status: '200 OK' },
} as const;

/** The text of a Bundle as far as its first entry. */
function bundleHead(type: string, total: number, links: readonly Link[]): string {
  return `{"resourceType":"Bundle","type":"${type}","total":${total},"link":${JSON.stringify(links)},"entry":[`;
}

/** Behind an entry stands a comma, but for the last. */
function lastOf(before: string, entries: readonly unknown[]): string {
  return entries.length === 0 ? before : before.slice(0, -1);
}

/** What stands behind the last entry. */
const bundleEnd = ']}';
