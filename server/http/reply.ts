import { etagOf, formatHttpDate } from '../../core/api/precondition.ts';
import { mediaType } from '../../core/api/contract.ts';
import { FhirError, toOutcome, type FhirErrorCode } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { BundleStream } from '../fhir/search.ts';
import { memberOf } from '../log-lines.ts';
import { saysFull, StoreBusyError, StoreUnconfirmedError, StoreDiskError } from '../store/store-error.ts';
import type { VersionMetadata } from '../store/store.ts';
import { createTruncatedBodyError } from './body.ts';
import type { ApiRequest, ApiResponse, BodyStream, Handler } from './request.ts';

const messages = defineMessages('server', {
  storeUnsure:
    'The connection to the database was lost while saving. It is not known whether the change was stored. Check before you send it again.',
  storeBusy: 'The database is busy. Try again in a second.',
  diskFault: 'Disk error: nothing was saved. Records can still be read. Try again in a second.',
  diskFull: 'The disk is full: nothing was saved. Records can still be read. Free up space, then try again.',
  invalidEscape: 'The URL contains an invalid percent escape.',
  failed: 'The server failed to handle this request. See its log for the request ID.',
});

/** Bytes per write. A reader that reads this much counts as active. */
export const portionBytes = 256 * 1024;

const jsonType = { 'Content-Type': mediaType };

/** Responds with JSON text. Never refused, because the operation is already done. */
export function respondText(text: string, status = 200, headers?: ApiResponse['headers']): ApiResponse {
  return { status, headers: { ...headers, ...jsonType }, body: text };
}

/**
 * Responds with JSON that is already in UTF-8 and was only read. A large one is refused with `crowded` if pending
 * responses leave no space.
 */
export function respondBytes(bytes: Buffer, headers?: ApiResponse['headers'], status = 200): ApiResponse {
  return { status, headers: { ...headers, ...jsonType }, body: bytes, isRefusable: true };
}

/** Responds with a Bundle that is built while it is sent. Refused with `crowded` like {@link respondBytes}. */
export function respondStream(
  { pieces, largest = portionBytes }: BundleStream,
  headers?: ApiResponse['headers'],
): ApiResponse {
  return { status: 200, headers: { ...headers, ...jsonType }, body: { pieces, largest } };
}

/** Responds with a file that is saved. */
export function respondFile(type: string, name: string, body: string | BodyStream): ApiResponse {
  const headers = { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` };
  return { status: 200, headers, body };
}

/** Media type of CSV files (RFC 4180). */
export const csvType = 'text/csv; charset=utf-8; header=present';

/** Responds with resources as a file with one line each, in batches. Other requests run between two batches. */
export function respondLines(name: string, batches: AsyncIterable<readonly object[]>): ApiResponse {
  async function* formatBatches(): AsyncGenerator<string> {
    for await (const batch of batches)
      yield batch.map((resource) => `${JSON.stringify(resource)}\n`).join('');
  }
  return respondFile('application/fhir+ndjson', name, { pieces: formatBatches(), isLive: true });
}

/** Excludes handlers that may return undefined, which would be sent as a response. */
type Defined<Value> = undefined extends Awaited<Value> ? never : unknown;

/** Creates a handler that responds with the result as JSON. */
export function createJsonHandler<Value>(
  handle: (request: ApiRequest) => Value & Defined<Value>,
  status = 200,
): Handler {
  return async (request) => {
    const result: unknown = handle(request);
    return respondText(JSON.stringify(await result), status);
  };
}

/** Creates a handler that responds with 204 after its work. */
export function createEmptyHandler(handle: (request: ApiRequest) => void | Promise<void>): Handler {
  return async (request) => {
    await handle(request);
    return { status: 204 };
  };
}

/** Returns ETag and Last-Modified of a version (FHIR R4 http.html#versioning). */
export function versionHeaders({ version, lastUpdated }: VersionMetadata): Record<string, string> {
  return { ETag: etagOf(version), 'Last-Modified': formatHttpDate(lastUpdated) };
}

/** Returns the text of an OperationOutcome with these issues. */
export function formatOutcome({ requestId }: ApiRequest, issue: unknown): string {
  return JSON.stringify({ resourceType: 'OperationOutcome', id: requestId, issue });
}

/** Responds to an error with an OperationOutcome. */
export function respondError(error: FhirError, { requestId }: ApiRequest): ApiResponse {
  return respondText(JSON.stringify(toOutcome(error, requestId)), error.status, error.headers);
}

/** Responses to errors of the database, its disk and its lock. */
const storeErrors = [
  {
    matches: (cause: unknown) => cause instanceof StoreUnconfirmedError,
    kind: 'busy',
    message: messages.storeUnsure,
  },
  {
    matches: (cause: unknown) => cause instanceof StoreBusyError,
    kind: 'busy',
    message: messages.storeBusy,
  },
  {
    matches: (cause: unknown) => cause instanceof StoreDiskError,
    kind: 'disk-fault',
    message: messages.diskFault,
  },
  {
    matches: saysFull,
    kind: 'disk-full',
    message: messages.diskFull,
  },
] as const;

/** Errors that an operator must know. */
export const loggedKinds: readonly FhirErrorCode[] = ['exception', 'disk-fault', 'disk-full'];

/** Returns the error that describes a cause to the client. */
export function toFhirError(cause: unknown): FhirError {
  if (cause instanceof FhirError) return cause;
  const storeError = storeErrors.find(({ matches }) => matches(cause));
  if (storeError) return new FhirError(storeError.kind, storeError.message(), { 'Retry-After': '1' });
  if (cause instanceof URIError) return new FhirError('malformed', messages.invalidEscape());
  if (memberOf(cause, 'status').startsWith('4')) return createTruncatedBodyError();
  return new FhirError('exception', messages.failed());
}
