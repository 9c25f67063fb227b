import { historyPath, isHistoryPage, type HistoryPage } from '../app/history.ts';
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
  /** Who calls, for the server's activity log: what is sent as {@link clientHeader}. */
  readonly caller?: string;
}

/** Names the workbench's own requests, which the server keeps in its activity log. */
export const clientHeader = 'X-Chartkeeper-Client';
export const workbenchClient = 'workbench';

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
export function createClient({ base, fetch, token, caller }: ClientOptions) {
  async function send(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
    const bearer = token?.();
    const answer = await fetch(base + path, {
      method,
      headers: {
        Accept: 'application/json',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
        ...(caller !== undefined && { [clientHeader]: caller }),
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
    /** One version of a record as it was: FHIR R4 http.html#vread. */
    readVersion(type: ResourceType, id: string, version: number): Promise<RecordVersion> {
      return send('GET', `${pathOf(type, id)}/_history/${version}`);
    },
    /** A page of a record's versions, newest first, without their texts; `page` is the {@link HistoryPage.next} before. */
    async history(
      type: ResourceType,
      id: string,
      page: { readonly count?: number; readonly page?: string } = {},
    ): Promise<HistoryPage> {
      const answer: unknown = JSON.parse((await send('GET', `/app${historyPath(type, id, page)}`)).text);
      if (isHistoryPage(answer)) return answer;
      throw new TypeError('The server answered a history in a form that is not known here.');
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
    /** The text at one of the app's own addresses, such as an export. */
    async appText(path: string): Promise<string> {
      return (await send('GET', `/app${path}`)).text;
    },
    /** What is wrong with a record's text, without storing it: FHIR R4 resource-operation-validate.html. */
    async validate(type: ResourceType, text: string): Promise<OperationOutcome> {
      const outcome = readOutcome((await send('POST', `${pathOf(type)}/$validate`, text)).text);
      if (outcome) return outcome;
      throw new TypeError('The server answered a validation in a form that is not known here.');
    },
    /** One of the app's own addresses (`/app/...`): JSON in, parsed JSON out; undefined where the answer is empty. */
    async app(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
      const { text } = await send(
        method,
        `/app${path}`,
        body === undefined ? undefined : JSON.stringify(body),
      );
      return text === '' ? undefined : (JSON.parse(text) as unknown);
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
