/** Reads the record and the version of a response. Proxies may have changed its headers. */
import type { ResourceType } from '../fhir/resource.ts';
import { isSubsetted } from '../fhir/record.ts';
import type { JsonNode } from '../json/node.ts';
import { defineMessages } from '../text/message.ts';
import { readResponseHead, readJson } from './answers.ts';
import { UnexpectedFormatError } from './failure.ts';
import { matchesIdentity, versionIdOf, type ExpectedIdentity } from './identity.ts';
import { etagOf, versionOf, withoutCoding } from './precondition.ts';
import type { RemoteServer } from './remote.ts';

const messages = defineMessages('client', {
  otherRecord: 'The server returned a different record. It was not opened.',
});

/** Stored record: exact text, version number if it has one, and ETag. */
export interface RecordVersion {
  readonly text: string;
  readonly version?: number;
  readonly etag?: string;
}

/**
 * Reads the version from the headers of a response. The local server's tags are numbers, even if a proxy
 * changed them.
 */
export function tagged(
  text: string,
  headers: { get(name: string): string | null },
  remote: RemoteServer | undefined,
): RecordVersion {
  const received = headers.get('ETag');
  if (received === null) return { text };
  const version = versionOf(received);
  if (!remote) return version === undefined ? { text } : { text, version, etag: etagOf(version) };
  const etag = withoutCoding(received, headers.get('Content-Encoding'));
  return { text, ...(version !== undefined && { version }), etag };
}

/** Returns the record in the response to a write; undefined if there is none or only an extract. */
export function readFullRecord({ text }: RecordVersion, type: ResourceType): JsonNode | undefined {
  const record = readJson(text);
  return record?.kind === 'object' && matchesIdentity(record, { type }) && !isSubsetted(record)
    ? record
    : undefined;
}

/**
 * Returns the response if it is the requested record.
 *
 * @throws UnexpectedFormatError if it is another record, which must not be opened.
 */
export function assertRequested(
  response: RecordVersion,
  expected: ExpectedIdentity,
  remote: RemoteServer | undefined,
): RecordVersion {
  const record = readResponseHead(response.text);
  if (record && matchesIdentity(record, expected)) return withOwnTag(response, record, remote);
  throw new UnexpectedFormatError(messages.otherRecord());
}

/**
 * Returns a response with the ETag of the version in its record. If-Match must name the version that was
 * read, so that no unseen version is overwritten. The local server's tag is derived from that version. The
 * tag of a remote server is dropped if it names another version.
 */
export function withOwnTag(
  response: RecordVersion,
  record: JsonNode,
  remote: RemoteServer | undefined,
): RecordVersion {
  const versionId = versionIdOf(record);
  if (versionId === undefined) return response;
  const version = versionOf(`"${versionId}"`);
  if (!remote && version !== undefined) return { text: response.text, version, etag: etagOf(version) };
  const { etag } = response;
  if (etag === undefined || etag.includes(`"${versionId}"`)) return response;
  return { text: response.text };
}
