/** What a client reads out of answers, this server's and others'. */
import { OperationOutcome } from '../fhir/outcome.ts';
import type { ResourceType } from '../fhir/resource.ts';
import { member, stringMember, type JsonNode } from '../json/node.ts';
import { readNatively } from '../json/native.ts';
import { print } from '../json/print.ts';
import { scan, tryScan } from '../json/scan.ts';
import { parseAs } from '../json/shape.ts';
import { ApiFailure, UnknownForm } from './failure.ts';
import { bundleDepth, listsAsked, type Asked } from './identity.ts';
import { matchesOf, nextLink, type RemoteServer } from './remote.ts';

export interface SearchResult {
  readonly total: number;
  /** The server named no total, and has more than these. */
  readonly atLeast?: true;
  /** The matches' exact text, in the server's order. */
  readonly records: readonly { readonly node: JsonNode; readonly text: string }[];
  /** What the client's `nextPage` takes: a query string, or a link of another server. */
  readonly next?: string;
}

/** The outcome that a text is; undefined where it is something else. */
export function readOutcome(text: string): OperationOutcome | undefined {
  return parseAs(OperationOutcome, text);
}

/** A text of another server as JSON; undefined where it is none. */
export function readJson(text: string): JsonNode | undefined {
  return tryScan(text, bundleDepth).root;
}

/**
 * A record's text as JSON: where the engine's own reading forgets nothing, only what says which record it is. A long
 * record is not read whole before it is shown.
 */
export function readHead(text: string): JsonNode | undefined {
  const value = readNatively(text)?.value;
  if (typeof value !== 'object' || value === null) return readJson(text);
  const { resourceType, id, meta } = value as Readonly<Record<string, unknown>>;
  return scan(JSON.stringify({ resourceType, id, meta })).root;
}

/**
 * A Bundle of what was asked for.
 *
 * @throws ApiFailure where a server answers a search or a history with something else, UnknownForm where it lists
 *   something else.
 */
export function readList(text: string, asked: Asked): JsonNode {
  const root = scan(text, bundleDepth).root;
  if (stringMember(root, 'resourceType') !== 'Bundle')
    throw new ApiFailure(200, readOutcome(text), undefined);
  if (listsAsked(root, asked)) return root;
  throw new UnknownForm(
    'The server listed something other than what was searched for. Nothing of it is shown.',
  );
}

/** A page of matches. */
export function readResult(text: string, type: ResourceType, remote: RemoteServer | undefined): SearchResult {
  const root = readList(text, { type });
  const total = member(root, 'total');
  const records = matchesOf(root, type).map((node) => ({ node, text: print(node) }));
  const link = nextLink(root);
  const next = remote ? link : link?.split('?')[1];
  const counted = total?.kind === 'number' ? Number(total.source) : undefined;
  return {
    total: counted ?? records.length,
    ...(counted === undefined && next !== undefined && { atLeast: true }),
    records,
    ...(next !== undefined && { next }),
  };
}
