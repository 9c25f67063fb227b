import type { GenericSchema } from 'valibot';
import { connectionHeader, unconfirmedHeader } from '../app/connections.ts';
import { historyPath, HistoryPage } from '../app/history.ts';
import type { OperationOutcome } from '../fhir/outcome.ts';
import { isFhirId, type ResourceType } from '../fhir/resource.ts';
import { member, stringMember, type JsonNode } from '../json/node.ts';
import {
  assertRequested,
  tagged,
  readFullRecord,
  withOwnTag,
  type RecordVersion,
} from './answered-record.ts';
import { readJson, readOutcome, readResult, type SearchResult } from './answers.ts';
import { fhirPath, pathOf, gatewayRoot } from './contract.ts';
import { ApiFailure, UnconfirmedWriteError, UnexpectedFormatError } from './failure.ts';
import { guardedWrites } from './guarded-writes.ts';
import { narrow } from './narrow.ts';
import { formatQuery } from './query.ts';
import { remoteHistory } from './remote-history.ts';
import { hostOf, linkPath, withTypedReferences, type RemoteServer } from './remote.ts';
import { secondsToWait } from './precondition.ts';
import { toConfirmationHeaders, type WriteBase } from './write-base.ts';
import { supportingResourcePath } from '../app/supporting-resources.ts';
import { parseReference } from '../fhir/reference.ts';

declare global {
  /** Every platform with `fetch` has it. This folder imports no platform types. */
  interface AbortSignal {
    readonly aborted: boolean;
  }
}

/** The part of `fetch` that the client uses. Fits browsers and Node.js. */
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
  /** Absent if the shell adds the Authorization header. */
  readonly token?: () => string | undefined;
  /** Value of {@link clientHeader} for the server's activity log. */
  readonly caller?: string;
  /** Server behind the gateway; absent for the local server. */
  readonly remote?: RemoteServer;
}

/** Marks requests of the workbench. The server logs them as activity. */
export const clientHeader = 'X-Chartkeeper-Client';
export const workbenchClient = 'workbench';

export type { RecordVersion } from './answered-record.ts';

export type Client = ReturnType<typeof createClient>;

/**
 * Creates a client. Each method rejects with {@link ApiFailure}, or with the error of `fetch` if no response
 * came.
 */
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
    const response = await fetch(base + path, {
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
    const text = await response.text();
    const record = tagged(text, response.headers, remote);
    if (response.status >= 300) {
      const outcome = readOutcome(text);
      if (response.headers.get(unconfirmedHeader) === 'true') throw new UnconfirmedWriteError(outcome);
      const connection = response.headers.get(connectionHeader) ?? undefined;
      throw new ApiFailure(
        response.status,
        outcome,
        record.version,
        connection,
        secondsToWait(response.headers.get('Retry-After'), Date.now()),
        connection === undefined ? undefined : hostOf(remote),
      );
    }
    return record;
  }

  /** Sends to an address of the app, on behalf of the server in use. */
  const sendApp = (method: string, path: string, body?: string, signal?: AbortSignal) =>
    send(method, `/app${path}`, body, remote && { [connectionHeader]: remote.id }, signal);

  /** Calls an address below `/app` with JSON. Returns parsed JSON; undefined for an empty response. */
  async function app(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const bodyText = body === undefined ? undefined : JSON.stringify(body);
    const { text } = await sendApp(method, path, bodyText, signal);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }

  const readRecord = async (type: ResourceType, id: string) =>
    assertRequested(await send('GET', address(type, id)), { type, id }, remote);

  const { update, patch } = guardedWrites({ remote, address, send, readRecord });

  const remoteVersions =
    remote && remoteHistory(remote, { address, get: async (path) => (await send('GET', path)).text });

  let statement: Promise<JsonNode | undefined> | undefined;
  /** Returns the CapabilityStatement of the server; undefined if it is unreadable. */
  function metadata(): Promise<JsonNode | undefined> {
    statement ??= send('GET', `${gateway}${metadataPath}`).then(
      ({ text }) => readJson(text),
      (error: unknown) => {
        // Retry later if the server was unreachable.
        if (!(error instanceof ApiFailure) || error.status >= 500) statement = undefined;
        return undefined;
      },
    );
    return statement;
  }
  /** True if the server accepts a bare id as every form of a reference, as Chartkeeper does. */
  const acceptsBareIds = async () =>
    stringMember(member(await metadata(), 'software'), 'name') === 'Chartkeeper';

  /** True until the server rejects a search with these parameters. */
  let acceptsShaping = true;

  async function search(
    type: ResourceType,
    query: readonly (readonly [string, string])[],
  ): Promise<SearchResult> {
    const find = async (pairs: typeof query) =>
      readResult((await send('GET', `${address(type)}?${formatQuery(pairs)}`)).text, type, remote);
    if (!remote) return find(query);
    const typedQuery = (await acceptsBareIds()) ? query : withTypedReferences(query);
    const plainQuery = typedQuery.filter(([name]) => !shapingParameters.has(name));
    if (acceptsShaping) {
      try {
        return await find([...typedQuery, ['_total', 'accurate']]);
      } catch (error) {
        if (!(error instanceof ApiFailure) || error.status !== 400) throw error;
      }
    }
    const result = await find(plainQuery);
    acceptsShaping = false;
    return result;
  }

  return {
    search,
    metadata,
    /** Path below `/app` of the worklist for the server in use. */
    quality: remote ? `/connections/${remote.id}/quality` : '/quality',
    /** Returns the page of {@link SearchResult.next}. */
    async nextPage(type: ResourceType, next: string): Promise<SearchResult> {
      const path = remote ? linkPath(remote, type, next) : `${address(type)}?${next}`;
      const result = readResult((await send('GET', path)).text, type, remote);
      // A link to the same page would cause an endless loop.
      return result.next === next ? { total: result.total, records: result.records } : result;
    },
    read: readRecord,
    /** Returns one version of a record by its number or version id: FHIR R4 http.html#vread. */
    async readVersion(type: ResourceType, id: string, version: number | string): Promise<RecordVersion> {
      const versionId =
        remoteVersions && typeof version === 'number'
          ? await remoteVersions.versionId(type, id, version)
          : String(version);
      const response = await send('GET', `${address(type, id)}/_history/${encodeURIComponent(versionId)}`);
      return assertRequested(response, { type, id, version: versionId }, remote);
    },
    /**
     * Returns a page of a record's versions, latest first, without their texts. `page` is the previous {@link
     * HistoryPage.next}.
     */
    async history(
      type: ResourceType,
      id: string,
      page: { readonly count?: number; readonly page?: string } = {},
    ): Promise<HistoryPage> {
      if (remoteVersions) return remoteVersions.read(type, id);
      return narrow(JSON.parse((await sendApp('GET', historyPath(type, id, page))).text), HistoryPage);
    },
    /** Stores a new record: FHIR R4 http.html#create. */
    async create(type: ResourceType, text: string, base: WriteBase = {}): Promise<RecordVersion> {
      const response = await send('POST', address(type), text, toConfirmationHeaders(base));
      const record = readFullRecord(response, type);
      if (record) return withOwnTag(response, record, remote);
      // Without a record in the response, the new id is unknown.
      throw new UnconfirmedWriteError(undefined);
    },
    /** Stores a new version of a record: FHIR R4 http.html#update. */
    update,
    /** Changes a record by a JSON Patch: FHIR R4 http.html#patch. */
    patch,
    /** Runs one step of an undo: the server restores the previous version. The response has no text. */
    async revert(run: string, place: number, base: WriteBase = {}): Promise<RecordVersion> {
      return send(
        'POST',
        `/app/bulk/${run}/targets/${place}/put-back`,
        undefined,
        toConfirmationHeaders(base),
      );
    },
    /** Returns the target of a literal reference that is not a record, if it is available. */
    referred: createReferenceReader({ remote, gateway, send, sendApp }),
    /** Returns the text at an address of the app, such as an export. */
    async appText(path: string): Promise<string> {
      return (await sendApp('GET', path)).text;
    },
    /** Validates a record's text without storing it: FHIR R4 resource-operation-validate.html. */
    async validate(type: ResourceType, text: string): Promise<OperationOutcome> {
      const outcome = readOutcome((await send('POST', `${address(type)}/$validate`, text)).text);
      if (outcome) return outcome;
      throw new UnexpectedFormatError();
    },
    app,
    /**
     * Calls an address of the app and validates the response. @throws UnexpectedFormatError if it does not
     * match the schema.
     */
    async requestAs<Schema extends GenericSchema>(schema: Schema, ...request: Parameters<typeof app>) {
      return narrow(await app(...request), schema);
    },
  };
}

/**
 * Parameters that shape the response without selecting records. They are dropped if a server rejects them.
 */
const shapingParameters = new Set(['_elements', '_summary', '_total']);

const metadataPath = `${fhirPath}/metadata`;

type Send = (method: string, path: string) => Promise<{ readonly text: string }>;

interface ReferenceReaderOptions {
  /** Server behind the gateway; undefined for the local server. */
  readonly remote: RemoteServer | undefined;
  /** Path prefix of the gateway. */
  readonly gateway: string;
  readonly send: Send;
  /** Sends to an address below `/app`. */
  readonly sendApp: Send;
}

/**
 * Creates a function that reads the exact text of a referenced resource other than a record: a supporting
 * resource of the local server, or a resource of the remote server. Undefined if it is not available. `record` contains the
 * reference.
 */
function createReferenceReader({ remote, gateway, send, sendApp }: ReferenceReaderOptions) {
  return async (reference: string, record?: string): Promise<string | undefined> => {
    try {
      if (!remote) return (await sendApp('GET', supportingResourcePath(reference, record))).text;
      const resourcePath = pathBelow(reference, remote.baseUrl);
      return resourcePath && (await send('GET', `${gateway}${fhirPath}/${resourcePath}`)).text;
    } catch (error) {
      if (error instanceof ApiFailure && [404, 410].includes(error.status)) return undefined;
      throw error;
    }
  };
}

/** Returns type and id of a reference to a resource of this server; undefined for other servers. */
function pathBelow(reference: string, baseUrl: string): string | undefined {
  const { type, id = '', base = baseUrl } = parseReference(reference) ?? {};
  const isOnThisServer =
    base === baseUrl && type !== undefined && /^[A-Z][A-Za-z]+$/.test(type) && isFhirId(id);
  return isOnThisServer ? `${type}/${id}` : undefined;
}
