import { setImmediate } from 'node:timers/promises';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { etagOf } from '../../core/api/precondition.ts';
import { mediaType } from '../../core/api/contract.ts';
import { formatHttpDate } from '../../core/api/http-date.ts';
import { FhirError, toOutcome, type FhirErrorCode } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import { bytesOf } from '../fhir/bundle-text.ts';
import type { BundleStream } from '../fhir/search.ts';
import { formatError, memberOf, type Log } from '../log-lines.ts';
import { saysFull, StoreBusyError, StoreUnconfirmedError, StoreDiskError } from '../store/store-error.ts';
import type { VersionMetadata } from '../store/store.ts';
import { createTruncatedBodyError } from './body.ts';
import { getRequestId } from './head.ts';
import type { Handler } from './request.ts';
import { endResponse, startFile, portionBytes, writeChunk } from './write-out.ts';

const messages = defineMessages('server', {
  storeUnsure:
    'The connection to the database was lost while saving. It is not known whether the change was stored. Check before you send it again.',
  storeBusy: 'The database is busy. Try again in a second.',
  diskFault: 'Disk error: nothing was saved. Records can still be read. Try again in a second.',
  diskFull: 'The disk is full: nothing was saved. Records can still be read. Free up space, then try again.',
  invalidEscape: 'The URL contains an invalid percent escape.',
  failed: 'The server failed to handle this request. See its log for the request ID.',
});

/** Sends JSON text. Never rejected, because the operation is already done. */
export function sendJson(
  response: Response,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  const length = Buffer.byteLength(text);
  response.writeHead(status, { ...headers, 'Content-Type': mediaType, 'Content-Length': length });
  // A string goes out in one piece with the headers.
  if (length <= portionBytes) endResponse(response, text);
  else void sendChunks(response, [text]);
}

/** Excludes handlers that may return undefined, which would be sent as a response. */
type Defined<Value> = undefined extends Awaited<Value> ? never : unknown;

/** Creates a handler that sends the result as JSON. */
export function createJsonHandler<Value>(
  handle: (request: Request, response: Response) => Value & Defined<Value>,
  status = 200,
): Handler {
  return async (request, response) => {
    const result: unknown = handle(request, response);
    sendJson(response, status, JSON.stringify(await result));
  };
}

/** Creates a handler that responds with 204 after its work. */
export function createEmptyHandler(
  handle: (request: Request, response: Response) => void | Promise<void>,
): Handler {
  return async (request, response) => {
    await handle(request, response);
    response.status(204).end();
  };
}

/**
 * Sends JSON that is already in UTF-8 and was only read.
 *
 * @throws FhirError `crowded` if the text is large and pending responses leave no space.
 */
export function sendBytes(
  response: Response,
  status: number,
  bytes: Buffer,
  headers: Record<string, string> = {},
): void {
  if (bytes.length > portionBytes) response.locals.pendingResponses?.admit(bytes.length);
  response.writeHead(status, { ...headers, 'Content-Type': mediaType, 'Content-Length': bytes.length });
  // As a latin1 string the body is sent together with the headers.
  if (bytes.length <= portionBytes) endResponse(response, bytes.toString('latin1'), 'latin1');
  else void sendChunks(response, [bytes]);
}

declare module 'express-serve-static-core' {
  interface Locals {
    /** Sends the streamed part of a response, after the audit entry. */
    sendRemaining?: () => Promise<void>;
  }
}

/**
 * Starts a response that is built while it is sent.
 *
 * @throws FhirError `crowded` if pending responses leave no space.
 */
export function startStream(
  response: Response,
  status: number,
  { pieces, largest = portionBytes }: BundleStream,
  headers: Record<string, string> = {},
): void {
  response.locals.pendingResponses?.admit(largest);
  // Without a length it is sent in chunks. Nothing is written yet, so a rejection is still possible.
  response.status(status).set({ ...headers, 'Content-Type': mediaType });
  response.locals.sendRemaining = async () => {
    await response.locals.pendingResponses?.waitForTurn();
    await sendChunks(response, response.req.method === 'HEAD' ? [] : pieces);
  };
}

/** Sends chunks at the pace of the reader, small chunks together. */
export async function sendChunks(response: Response, pieces: BundleStream['pieces']): Promise<void> {
  let pendingChunks: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const bytes = bytesOf(piece);
    const isLarge = bytes.length >= portionBytes;
    if (!isLarge) pendingChunks.push(bytes);
    length += bytes.length;
    if (length < portionBytes) continue;
    if (pendingChunks.length > 0) await writeChunk(response, Buffer.concat(pendingChunks));
    // Not copied, because a slow reader would double its memory.
    if (isLarge) await writeChunk(response, bytes);
    if (response.destroyed) return;
    if (isLarge) await response.locals.pendingResponses?.waitForTurn();
    // A fast reader would otherwise get all chunks in one turn.
    else await setImmediate();
    pendingChunks = [];
    length = 0;
  }
  endResponse(response, Buffer.concat(pendingChunks));
}

/** Starts a CSV response (RFC 4180) that is saved as a file. */
export function writeCsvHeader(response: Response, name: string): void {
  startFile(response, 'text/csv; charset=utf-8; header=present', name);
}

/** Returns ETag and Last-Modified of a version (FHIR R4 http.html#versioning). */
export function versionHeaders({ version, lastUpdated }: VersionMetadata): Record<string, string> {
  return { ETag: etagOf(version), 'Last-Modified': formatHttpDate(lastUpdated) };
}

/** Returns the text of an OperationOutcome with these issues. */
export function formatOutcome(response: Response, issue: unknown): string {
  return JSON.stringify({ resourceType: 'OperationOutcome', id: getRequestId(response), issue });
}

/**
 * Creates the last handler, which sends an error as OperationOutcome.
 *
 * @param onRejected - Called with the rejected request after its response.
 */
export function createErrorHandler(
  log: Log,
  onRejected: (request: Request, response: Response, kind: FhirErrorCode) => void,
): ErrorRequestHandler {
  // Express recognizes an error handler by its four parameters. Its own handler would print the error.
  return (cause: unknown, request, response, _next) => {
    // A client that disconnects early is no server error.
    const error = cause === request.errored ? createTruncatedBodyError() : toFhirError(cause);
    const id = getRequestId(response);
    if (response.headersSent) response.destroy();
    else {
      sendJson(response, error.status, JSON.stringify(toOutcome(error, id)), { ...error.headers });
      onRejected(request, response, error.kind);
    }
    if (loggedKinds.includes(error.kind)) log(`request ${id} failed: ${formatError(cause)}`);
    if (error.kind === 'damaged') log(`request ${id} met a damaged record; see /app/damage`);
  };
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
const loggedKinds: readonly FhirErrorCode[] = ['exception', 'disk-fault', 'disk-full'];

function toFhirError(cause: unknown): FhirError {
  if (cause instanceof FhirError) return cause;
  const storeError = storeErrors.find(({ matches }) => matches(cause));
  if (storeError) return new FhirError(storeError.kind, storeError.message(), { 'Retry-After': '1' });
  if (cause instanceof URIError) return new FhirError('malformed', messages.invalidEscape());
  if (memberOf(cause, 'status').startsWith('4')) return createTruncatedBodyError();
  return new FhirError('exception', messages.failed());
}
