/** Parses responses of the local server and of remote servers. */
import { OperationOutcome } from '../fhir/outcome.ts';
import type { ResourceType } from '../fhir/resource.ts';
import { member, stringMember, serializeNode, type JsonNode } from '../json/node.ts';
import { readNatively } from '../json/native.ts';
import { scan, tryScan } from '../json/scan.ts';
import { parseAs } from '../json/shape.ts';
import { defineMessages } from '../text/message.ts';
import { ApiFailure, UnexpectedFormatError } from './failure.ts';
import { bundleDepth, listMatchesIdentity, type ExpectedIdentity } from './identity.ts';
import { matchesOf, nextLink, type RemoteServer } from './remote.ts';

const messages = defineMessages('client', {
  otherList: 'The server returned something other than what was searched for. Nothing is shown.',
});

export interface SearchResult {
  readonly total: number;
  /** True if the server sent no total and there are more matches. */
  readonly atLeast?: true;
  /** Exact texts of the matches, in the server's order. */
  readonly records: readonly { readonly node: JsonNode; readonly text: string }[];
  /** Argument for the client's `nextPage`: a query string, or a link of a remote server. */
  readonly next?: string;
}

/** Parses an OperationOutcome; undefined for other text. */
export function readOutcome(text: string): OperationOutcome | undefined {
  return parseAs(OperationOutcome, text);
}

/** Parses JSON of a remote server; undefined if it is invalid. */
export function readJson(text: string): JsonNode | undefined {
  return tryScan(text, bundleDepth).root;
}

/**
 * Returns the members that identify a record. Uses the engine's parser if it loses nothing, because a full
 * scan of a long record would delay its display.
 */
export function readResponseHead(text: string): JsonNode | undefined {
  const parsed = readNatively(text)?.value;
  if (typeof parsed !== 'object' || parsed === null) return readJson(text);
  const { resourceType, id, meta } = parsed as Readonly<Record<string, unknown>>;
  return scan(JSON.stringify({ resourceType, id, meta })).root;
}

/**
 * Parses a Bundle of the requested records.
 *
 * @throws ApiFailure if the response is not a Bundle.
 * @throws UnexpectedFormatError if the Bundle has other records.
 */
export function readList(text: string, expected: ExpectedIdentity): JsonNode {
  const root = scan(text, bundleDepth).root;
  if (stringMember(root, 'resourceType') !== 'Bundle')
    throw new ApiFailure(200, readOutcome(text), undefined);
  if (listMatchesIdentity(root, expected)) return root;
  throw new UnexpectedFormatError(messages.otherList());
}

/** Parses a page of matches. */
export function readResult(text: string, type: ResourceType, remote: RemoteServer | undefined): SearchResult {
  const root = readList(text, { type });
  const total = member(root, 'total');
  const records = matchesOf(root, type).map((node) => ({ node, text: serializeNode(node) }));
  const link = nextLink(root);
  const next = remote ? link : link?.split('?')[1];
  const serverTotal = total?.kind === 'number' ? Number(total.source) : undefined;
  return {
    total: serverTotal ?? records.length,
    ...(serverTotal === undefined && next !== undefined && { atLeast: true }),
    records,
    ...(next !== undefined && { next }),
  };
}
