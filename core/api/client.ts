import { isOutcome, type OperationOutcome } from '../fhir/outcome.ts';
import type { ResourceType } from '../fhir/resource.ts';
import { items, member, stringMember, type JsonNode } from '../json/node.ts';
import { print } from '../json/print.ts';
import { maxDepth, scan } from '../json/scan.ts';
import { pathOf } from './contract.ts';
import { etagOf, versionOf } from './precondition.ts';
import { formatQuery } from './query.ts';

/** The part of `fetch` that the client uses: a page's own and Node's both fit. */
export type Fetch = (
  address: string,
  init: { method: string; headers: Record<string, string>; body?: string },
) => Promise<{
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}>;

export interface ClientOptions {
  /** Base URL without a trailing slash; empty for the page's own origin. */
  readonly base: string;
  readonly fetch: Fetch;
  /** Absent where the shell adds the Authorization header itself. */
  readonly token?: () => string | undefined;
}

/** A record as the server holds it: exact text, and the version that If-Match names. */
export interface RecordVersion {
  readonly text: string;
  readonly version?: number;
}

export interface SearchResult {
  readonly total: number;
  /** The matches' exact text, in the server's order. */
  readonly records: readonly { readonly node: JsonNode; readonly text: string }[];
  /** Query string of the next page. */
  readonly next?: string;
}

/** The server answered, and not with a success. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly status: number;
  readonly outcome: OperationOutcome | undefined;
  /** Version the server holds now, where it said so (412). */
  readonly currentVersion: number | undefined;

  constructor(status: number, outcome: OperationOutcome | undefined, currentVersion: number | undefined) {
    super(outcome?.issue[0]?.details?.text ?? `The server answered ${status}.`);
    this.status = status;
    this.outcome = outcome;
    this.currentVersion = currentVersion;
  }
}

export type Client = ReturnType<typeof createClient>;

/** A client of the five operations. Each call rejects with {@link ApiFailure}, or as `fetch` does where no answer came. */
export function createClient({ base, fetch, token }: ClientOptions) {
  async function send(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
    const bearer = token?.();
    const answer = await fetch(base + path, {
      method,
      headers: {
        Accept: 'application/json',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    const version = versionOf(answer.headers.get('ETag') ?? '');
    if (answer.status >= 300) throw new ApiFailure(answer.status, readOutcome(text), version);
    return { text, ...(version !== undefined && { version }) };
  }

  const matching = (version: number | undefined): Record<string, string> =>
    version === undefined ? {} : { 'If-Match': etagOf(version) };

  return {
    async search(type: ResourceType, query: readonly (readonly [string, string])[]): Promise<SearchResult> {
      const { text } = await send('GET', `${pathOf(type)}?${formatQuery(query)}`);
      return readBundle(text);
    },
    /** The page behind a `next` query string, as {@link SearchResult.next} gives it. */
    async nextPage(type: ResourceType, query: string): Promise<SearchResult> {
      const { text } = await send('GET', `${pathOf(type)}?${query}`);
      return readBundle(text);
    },
    read(type: ResourceType, id: string): Promise<RecordVersion> {
      return send('GET', pathOf(type, id));
    },
    create(type: ResourceType, text: string): Promise<RecordVersion> {
      return send('POST', pathOf(type), text);
    },
    update(type: ResourceType, id: string, text: string, version?: number): Promise<RecordVersion> {
      return send('PUT', pathOf(type, id), text, matching(version));
    },
    patch(type: ResourceType, id: string, operations: string, version?: number): Promise<RecordVersion> {
      return send('PATCH', pathOf(type, id), operations, matching(version));
    },
    /** One of the app's own addresses (`/app/...`): JSON in, parsed JSON out. */
    async app(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<unknown> {
      const { text } = await send(
        method,
        `/app${path}`,
        body === undefined ? undefined : JSON.stringify(body),
      );
      return JSON.parse(text) as unknown;
    },
  };
}

function readOutcome(text: string): OperationOutcome | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isOutcome(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readBundle(text: string): SearchResult {
  const root = scan(text, bundleDepth).root;
  const total = member(root, 'total');
  const records = items(member(root, 'entry')).flatMap((entry) => {
    const node = member(entry, 'resource');
    return node ? [{ node, text: print(node) }] : [];
  });
  const next = items(member(root, 'link')).find((link) => stringMember(link, 'relation') === 'next');
  const query = stringMember(next, 'url')?.split('?')[1];
  return {
    total: total?.kind === 'number' ? Number(total.source) : records.length,
    records,
    ...(query !== undefined && { next: query }),
  };
}

/** A Bundle nests its resources three levels deeper than they stand alone. */
const bundleDepth = maxDepth + 3;
