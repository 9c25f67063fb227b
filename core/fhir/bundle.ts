import { serializeNode } from '../json/node.ts';
import { objectIn } from '../json/scan.ts';
import { detailsOf, toOutcome, type FhirError } from './outcome.ts';
import type { Message } from '../text/message.ts';

/** Returns a line of NDJSON with a resource and its address: a Bundle of one entry. */
export function formatAddressedLine(fullUrl: string, text: string): string {
  return `{"resourceType":"Bundle","type":"collection","entry":[{"fullUrl":${JSON.stringify(fullUrl)},"resource":${text}}]}\n`;
}

/** A match as the store returns it: exact JSON in UTF-8, neither parsed nor decoded. */
interface Match {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** An entry whose record cannot be read. An OperationOutcome replaces it. */
interface Unanswered {
  readonly fault: FhirError;
}

/** A part of a response's text. Bytes are UTF-8. */
export type BodyPart = string | Uint8Array;

/** An entry of a Bundle: its resource, and the JSON text before and after it. */
export interface BundleEntry {
  readonly prefix: string;
  readonly resource: BodyPart;
  readonly suffix: string;
}

/** A Bundle entry by entry, so that no response has to be in memory as a whole. */
export interface Bundle {
  /** The JSON text up to the first entry. {@link bundleEnd} follows the last entry. */
  readonly head: string;
  readonly entries: Iterable<BundleEntry>;
}

export interface BundleLink {
  readonly relation: 'self' | 'first' | 'previous' | 'next';
  /** Absolute. */
  readonly url: string;
}

export interface SearchSet {
  /** Count of all matches, on all pages; absent if no total was requested. */
  readonly total: number | undefined;
  readonly matches: Iterable<Match | Unanswered>;
  /** Records that the matches refer to, or that refer to them; `cut` is the reason if some are missing. */
  readonly included?: { readonly records: Iterable<Match | Unanswered>; readonly cut?: Message | undefined };
  readonly links: readonly BundleLink[];
  /** Absolute URL of the type, without a trailing slash. */
  readonly typeUrl: string;
}

/** A version as a history lists it. */
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
  readonly links: readonly BundleLink[];
  /** Absolute URL of the type, without a trailing slash. */
  readonly typeUrl: string;
}

/** Builds the searchset Bundle (FHIR R4 http.html#search) with the resources' bytes unchanged. */
export function searchSet({ total, matches, included, links, typeUrl }: SearchSet): Bundle {
  const entries = function* (): Generator<BundleEntry> {
    yield* searchEntries(typeUrl, matches, 'match');
    if (included) yield* searchEntries(typeUrl, included.records, 'include');
    if (included?.cut === undefined) return;
    const issue = { severity: 'warning', code: 'incomplete', details: detailsOf(included.cut) };
    yield { ...outcomeWith([issue]), suffix: formatSearchMode('outcome') };
  };
  return { head: bundleHead('searchset', total, links), entries: { [Symbol.iterator]: entries } };
}

function* searchEntries(
  typeUrl: string,
  matches: SearchSet['matches'],
  mode: 'match' | 'include',
): Generator<BundleEntry> {
  for (const match of matches) {
    yield 'fault' in match
      ? { ...outcomeOf(match), suffix: formatSearchMode('outcome') }
      : { ...resourceAt(`${typeUrl}/${match.id}`, match.bytes), suffix: formatSearchMode(mode) };
  }
}

function formatSearchMode(mode: string): string {
  return `,"search":{"mode":"${mode}"}}`;
}

function outcomeWith(issue: readonly object[]): Opening {
  return { prefix: '{"resource":', resource: JSON.stringify({ resourceType: 'OperationOutcome', issue }) };
}

/** Builds the history Bundle (FHIR R4 http.html#history) with the request and the response of each version. */
export function historySet({ total, type, versions, links, typeUrl }: HistorySet): Bundle {
  return { head: bundleHead('history', total, links), entries: versionEntries(typeUrl, type, versions) };
}

function* versionEntries(
  typeUrl: string,
  type: string,
  versions: HistorySet['versions'],
): Generator<BundleEntry> {
  for (const past of versions) {
    const { id, version, lastUpdated, operation } = past;
    const { method, path, status } = requests[operation];
    const request = { method, url: path ? `${type}/${id}` : type };
    // An import keeps the id of a record: a PUT that stored a first version.
    const created = version === 1 ? '201 Created' : status;
    const response = { status: created, etag: `W/"${version}"`, lastModified: lastUpdated };
    const suffix = `,"request":${JSON.stringify(request)},"response":${JSON.stringify(response)}}`;
    yield {
      ...('fault' in past ? outcomeOf(past) : resourceAt(`${typeUrl}/${id}`, past.text)),
      suffix,
    };
  }
}

/** The start of an entry, and its resource. */
type Opening = Omit<BundleEntry, 'suffix'>;

function resourceAt(fullUrl: string, resource: BodyPart): Opening {
  return { prefix: `{"fullUrl":${JSON.stringify(fullUrl)},"resource":`, resource };
}

/** An outcome is not a version of the record, so it has no fullUrl. */
function outcomeOf({ fault }: Unanswered): Opening {
  return { prefix: '{"resource":', resource: JSON.stringify(toOutcome(fault)) };
}

const requests = {
  create: { method: 'POST', path: false, status: '201 Created' },
  update: { method: 'PUT', path: true, status: '200 OK' },
  patch: { method: 'PATCH', path: true, status: '200 OK' },
  import: { method: 'PUT', path: true, status: '200 OK' },
} as const;

/** Returns the text of a Bundle up to its first entry. */
function bundleHead(type: string, total: number | undefined, links: readonly BundleLink[]): string {
  const totalMember = total === undefined ? '' : `"total":${total},`;
  return `{"resourceType":"Bundle","type":"${type}",${totalMember}"link":${JSON.stringify(links)},"entry":[`;
}

/** A resource and the fullUrl that the other entries refer to. */
export interface DocumentEntry {
  readonly fullUrl: string;
  readonly bytes: Uint8Array;
}

export interface NewDocument {
  /** A version 4 UUID, unique to this document (bdl-9). */
  readonly uuid: string;
  /** The time of assembly in ISO 8601 (bdl-10). */
  readonly timestamp: string;
  /** Members of the Bundle of an earlier state, without braces. */
  readonly former?: string | undefined;
}

/** Members that identify one state of a document. */
const stateMembers: ReadonlySet<string> = new Set(
  ['id', 'identifier', 'type', 'timestamp'].flatMap((name) => [name, `_${name}`]),
);

/** Returns the members of the Bundle of a new document, without braces and without entries. */
export function documentHead({ uuid, timestamp, former = '' }: NewDocument): string {
  const identifier = JSON.stringify({ system: 'urn:ietf:rfc:3986', value: `urn:uuid:${uuid}` });
  const formerMembers = objectIn(`{${former}}`)?.members ?? [];
  return [
    ...formerMembers
      .filter(({ key }) => !stateMembers.has(key))
      .map(({ keySource, value }) => `${keySource}:${serializeNode(value)}`),
    `"identifier":${identifier},"type":"document","timestamp":"${timestamp}"`,
  ].join(',');
}

export interface DocumentSet {
  /** Members of the Bundle, without braces and without entries. */
  readonly head: string;
  /** The Composition first (bdl-11). */
  readonly parts: readonly DocumentEntry[];
  /**
   * Resources that the document refers to and does not contain, each with the reason. An outcome at the end lists
   * them.
   */
  readonly missing: readonly { readonly path: string; readonly message: Message }[];
}

/** Builds the document Bundle (FHIR R4 documents.html). */
export function documentSet({ head, parts, missing }: DocumentSet): Bundle {
  const entries = parts.map(({ fullUrl, bytes }): BundleEntry => ({
    ...resourceAt(fullUrl, bytes),
    suffix: '}',
  }));
  const issue = missing.map(({ path, message }) => ({
    severity: 'information',
    code: 'not-found',
    details: detailsOf(message),
    expression: [path],
  }));
  if (issue.length > 0) entries.push({ ...outcomeWith(issue), suffix: '}' });
  return { head: `{"resourceType":"Bundle",${head},"entry":[`, entries };
}

/** JSON text after the last entry. */
export const bundleEnd = ']}';
