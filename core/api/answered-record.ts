/** Which record and which version an answer holds, whatever its headers looked like on the way. */
import type { ResourceType } from '../fhir/resource.ts';
import { isSubsetted } from '../fhir/record.ts';
import type { JsonNode } from '../json/node.ts';
import { readHead, readJson } from './answers.ts';
import { UnknownForm } from './failure.ts';
import { isAsked, versionIdOf, type Asked } from './identity.ts';
import { etagOf, versionOf, withoutCoding } from './precondition.ts';
import type { RemoteServer } from './remote.ts';

/** A record as the server holds it: exact text, its version's number where it has one, and its ETag. */
export interface RecordVersion {
  readonly text: string;
  readonly version?: number;
  readonly etag?: string;
}

/** Reads the version out of an answer's headers. A tag of the own server is a number, whatever a front server made of it. */
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

/** The record that an answer to a write holds; undefined where it holds none, or an extract. */
export function wholeIn({ text }: RecordVersion, type: ResourceType): JsonNode | undefined {
  const record = readJson(text);
  return record?.kind === 'object' && isAsked(record, { type }) && !isSubsetted(record) ? record : undefined;
}

/** @throws UnknownForm where an answer is another record than the one that was asked for: it is not opened. */
export function asAsked(
  answer: RecordVersion,
  asked: Asked,
  remote: RemoteServer | undefined,
): RecordVersion {
  const record = readHead(answer.text);
  if (record && isAsked(record, asked)) return withOwnTag(answer, record, remote);
  throw new UnknownForm(
    'The server answered with another record than the one that was asked for. It is not opened.',
  );
}

/**
 * Returns an answer with the tag of the version that its record says it is: what is sent back as If-Match is of what was
 * read, so that no version is overwritten which nobody saw. The own server's tag is made of that version. Another
 * server's tag is kept where it names it, and left out where it names another.
 */
export function withOwnTag(
  answer: RecordVersion,
  record: JsonNode,
  remote: RemoteServer | undefined,
): RecordVersion {
  const versionId = versionIdOf(record);
  if (versionId === undefined) return answer;
  const version = versionOf(`"${versionId}"`);
  if (!remote && version !== undefined) return { text: answer.text, version, etag: etagOf(version) };
  const { etag } = answer;
  if (etag === undefined || etag.includes(`"${versionId}"`)) return answer;
  return { text: answer.text };
}
