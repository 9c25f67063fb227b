/** What a client reads out of answers, this server's and others'. */
import { OperationOutcome } from '../fhir/outcome.ts';
import type { ResourceType } from '../fhir/resource.ts';
import { member, stringMember, type JsonNode } from '../json/node.ts';
import { print } from '../json/print.ts';
import { maxDepth, scan } from '../json/scan.ts';
import { parseAs } from '../json/shape.ts';
import { ApiFailure } from './failure.ts';
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
  try {
    return scan(text, bundleDepth).root;
  } catch {
    return undefined;
  }
}

/** Whether an answer is a record of a type. */
export function isRecord(text: string, type: ResourceType): boolean {
  return stringMember(readJson(text), 'resourceType') === type;
}

/** @throws ApiFailure where a server answers a search or a history with something else. */
export function readBundle(text: string): JsonNode {
  const root = scan(text, bundleDepth).root;
  if (stringMember(root, 'resourceType') === 'Bundle') return root;
  throw new ApiFailure(200, readOutcome(text), undefined);
}

/** A page of matches. */
export function readResult(text: string, type: ResourceType, remote: RemoteServer | undefined): SearchResult {
  const root = readBundle(text);
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

/** A Bundle nests its resources three levels deeper than they stand alone. */
const bundleDepth = maxDepth + 3;
