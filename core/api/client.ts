import type { GenericSchema } from 'valibot';
import { connectionHeader, unconfirmedHeader } from '../app/connections.ts';
import { historyPath, HistoryPage } from '../app/history.ts';
import type { OperationOutcome } from '../fhir/outcome.ts';
import type { ResourceType } from '../fhir/resource.ts';
import { member, stringMember, type JsonNode } from '../json/node.ts';
import { asAsked, tagged, wholeIn, withOwnTag, type RecordVersion } from './answered-record.ts';
import { readJson, readOutcome, readResult, type SearchResult } from './answers.ts';
import { fhirPath, pathOf } from './contract.ts';
import { ApiFailure, Unconfirmed, UnknownForm } from './failure.ts';
import { gatewayRoot } from './gateway.ts';
import { guardedWrites } from './guarded-writes.ts';
import { narrow } from './narrow.ts';
import { formatQuery } from './query.ts';
import { referredBy } from './referred.ts';
import { remoteHistory } from './remote-history.ts';
import { hostOf, linkPath, withTypedReferences, type RemoteServer } from './remote.ts';
import { secondsToWait } from './http-date.ts';
import { agreedTo, type WriteBase } from './write-base.ts';

declare global {
  /** Of every place that has `fetch`; this folder knows none of them. */
  interface AbortSignal {
    readonly aborted: boolean;
  }
}

/** The part of `fetch` that the client uses: a page's own and Node's both fit. */
type Fetch = (
  address: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal?: AbortSignal },
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
  /** The server behind the gateway; the local one where absent. */
  readonly remote?: RemoteServer;
}

/** Names the workbench's own requests, which the server keeps in its activity log. */
export const clientHeader = 'X-Chartkeeper-Client';
export const workbenchClient = 'workbench';

export type { RecordVersion } from './answered-record.ts';

export type Client = ReturnType<typeof createClient>;

/** A client of the five operations. Each call rejects with {@link ApiFailure}, or as `fetch` does where no answer came. */
export function createClient({ base, fetch, token, caller, remote }: ClientOptions) {
  const gateway = remote ? gatewayRoot(remote.id) : '';
  const address = (type: ResourceType, id?: string) => gateway + pathOf(type, id);

  async function send(
    method: string,
    path: string,
    body?: string,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<RecordVersion> {
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
      ...(signal && { signal }),
    });
    const text = await answer.text();
    const answered = tagged(text, answer.headers, remote);
    if (answer.status >= 300) {
      const outcome = readOutcome(text);
      if (answer.headers.get(unconfirmedHeader) === 'true') throw new Unconfirmed(outcome);
      const connection = answer.headers.get(connectionHeader) ?? undefined;
      throw new ApiFailure(
        answer.status,
        outcome,
        answered.version,
        connection,
        secondsToWait(answer.headers.get('Retry-After'), Date.now()),
        connection === undefined ? undefined : hostOf(remote),
      );
    }
    return answered;
  }

  /** To one of the app's own addresses, on behalf of the server that is worked on. */
  const sendApp = (method: string, path: string, body?: string, signal?: AbortSignal) =>
    send(method, `/app${path}`, body, remote && { [connectionHeader]: remote.id }, signal);

  /** One of the app's own addresses (`/app/...`): JSON in, parsed JSON out; undefined where the answer is empty. */
  async function app(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const { text } = await sendApp(method, path, sent, signal);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }

  const read = async (type: ResourceType, id: string) =>
    asAsked(await send('GET', address(type, id)), { type, id }, remote);

  const { update, patch } = guardedWrites({ remote, address, send, read });

  const past =
    remote && remoteHistory(remote, { address, get: async (path) => (await send('GET', path)).text });

  let statement: Promise<JsonNode | undefined> | undefined;
  /** What the server says of itself; undefined where it says nothing that can be read. */
  function metadata(): Promise<JsonNode | undefined> {
    statement ??= send('GET', `${gateway}${metadataPath}`).then(
      ({ text }) => readJson(text),
      (error: unknown) => {
        // Where the server was away, it is asked again.
        if (!(error instanceof ApiFailure) || error.status >= 500) statement = undefined;
        return undefined;
      },
    );
    return statement;
  }
  /** Whether the server finds every form of a reference by a bare id, as this product's does. */
  const takesBareIds = async () =>
    stringMember(member(await metadata(), 'software'), 'name') === 'Chartkeeper';

  /** Until the server refuses a search for them. */
  let takesShaping = true;

  async function search(
    type: ResourceType,
    query: readonly (readonly [string, string])[],
  ): Promise<SearchResult> {
    const find = async (pairs: typeof query) =>
      readResult((await send('GET', `${address(type)}?${formatQuery(pairs)}`)).text, type, remote);
    if (!remote) return find(query);
    const typed = (await takesBareIds()) ? query : withTypedReferences(query);
    const plain = typed.filter(([name]) => !shaping.has(name));
    if (takesShaping) {
      try {
        return await find([...typed, ['_total', 'accurate']]);
      } catch (error) {
        if (!(error instanceof ApiFailure) || error.status !== 400) throw error;
      }
    }
    const found = await find(plain);
    takesShaping = false;
    return found;
  }

  return {
    search,
    metadata,
    /** Below `/app`: the worklist of the records of the server that is worked on. */
    quality: remote ? `/connections/${remote.id}/quality` : '/quality',
    /** The page behind {@link SearchResult.next}. */
    async nextPage(type: ResourceType, next: string): Promise<SearchResult> {
      const path = remote ? linkPath(remote, type, next) : `${address(type)}?${next}`;
      const result = readResult((await send('GET', path)).text, type, remote);
      // A server that leads back to the same page would be read for ever.
      return result.next === next ? { total: result.total, records: result.records } : result;
    },
    read,
    /** One version of a record as it was, by its number or by what the server calls it: FHIR R4 http.html#vread. */
    async readVersion(type: ResourceType, id: string, version: number | string): Promise<RecordVersion> {
      const held =
        past && typeof version === 'number' ? await past.versionId(type, id, version) : String(version);
      const answer = await send('GET', `${address(type, id)}/_history/${encodeURIComponent(held)}`);
      return asAsked(answer, { type, id, version: held }, remote);
    },
    /** A page of a record's versions, newest first, without their texts; `page` is the {@link HistoryPage.next} before. */
    async history(
      type: ResourceType,
      id: string,
      page: { readonly count?: number; readonly page?: string } = {},
    ): Promise<HistoryPage> {
      if (past) return past.read(type, id);
      return narrow(JSON.parse((await sendApp('GET', historyPath(type, id, page))).text), HistoryPage);
    },
    /** Stores a new record: FHIR R4 http.html#create. */
    async create(type: ResourceType, text: string, from: WriteBase = {}): Promise<RecordVersion> {
      const answer = await send('POST', address(type), text, agreedTo(from));
      const record = wholeIn(answer, type);
      if (record) return withOwnTag(answer, record, remote);
      // Where it answers without the record, what it stored is to be looked for.
      throw new Unconfirmed(undefined);
    },
    /** Stores a further version of a record, over the one that it starts from: FHIR R4 http.html#update. */
    update,
    /** Changes a record by the operations of a JSON Patch: FHIR R4 http.html#patch. */
    patch,
    /** One step of an undo: the version before, put back by the server itself. Its text is not answered. */
    async putBack(run: string, place: number, from: WriteBase = {}): Promise<RecordVersion> {
      return send('POST', `/app/bulk/${run}/targets/${place}/put-back`, undefined, agreedTo(from));
    },
    /** What a literal reference leads to that is no record, where it is at hand. */
    referred: referredBy({ remote, gateway, send, sendApp }),
    /** The text at one of the app's own addresses, such as an export. */
    async appText(path: string): Promise<string> {
      return (await sendApp('GET', path)).text;
    },
    /** What is wrong with a record's text, without storing it: FHIR R4 resource-operation-validate.html. */
    async validate(type: ResourceType, text: string): Promise<OperationOutcome> {
      const outcome = readOutcome((await send('POST', `${address(type)}/$validate`, text)).text);
      if (outcome) return outcome;
      throw new UnknownForm();
    },
    app,
    /** The same, its answer read. @throws UnknownForm where the schema does not know it. */
    async ask<Schema extends GenericSchema>(schema: Schema, ...asked: Parameters<typeof app>) {
      return narrow(await app(...asked), schema);
    },
  };
}

/** Parameters that shape an answer and find nothing: worth asking for, and done without where a server refuses them. */
const shaping = new Set(['_elements', '_summary', '_total']);

const metadataPath = `${fhirPath}/metadata`;
