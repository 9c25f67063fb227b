import { setImmediate } from 'node:timers/promises';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { etagOf } from '../../core/api/precondition.ts';
import { mediaType } from '../../core/api/contract.ts';
import { toHttpDate } from '../../core/api/http-date.ts';
import { FhirError, toOutcome, type FaultKind } from '../../core/fhir/outcome.ts';
import { bytesOf } from '../fhir/bundle-text.ts';
import type { BundleStream } from '../fhir/search.ts';
import { faultText, memberOf, type Log } from '../log-lines.ts';
import { saysFull, StoreBusyError, StoreUnsureError, StoreDiskError } from '../store/store-error.ts';
import type { VersionFacts } from '../store/store.ts';
import { brokenOff } from './body.ts';
import { requestIdOf } from './head.ts';
import type { Answer } from './request.ts';
import { endOut, headFile, portion, writeOut } from './write-out.ts';

/** Sends JSON text as it is: the answer of what was done, which is never refused. */
export function sendJson(
  response: Response,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  const length = Buffer.byteLength(text);
  response.writeHead(status, { ...headers, 'Content-Type': mediaType, 'Content-Length': length });
  // A string goes out in one piece with the headers.
  if (length <= portion) endOut(response, text);
  else void sendPortions(response, [text]);
}

/** Refuses a handler that may return nothing: it would be answered as if it had. */
type Something<Value> = undefined extends Awaited<Value> ? never : unknown;

/** Answers with what a handler returns, as JSON. */
export function json<Value>(
  handle: (request: Request, response: Response) => Value & Something<Value>,
  status = 200,
): Answer {
  return async (request, response) => {
    const told: unknown = handle(request, response);
    sendJson(response, status, JSON.stringify(await told));
  };
}

/** Answers 204 once a handler is done. */
export function done(handle: (request: Request, response: Response) => void | Promise<void>): Answer {
  return async (request, response) => {
    await handle(request, response);
    response.status(204).end();
  };
}

/**
 * Sends JSON that is in UTF-8 already and only read.
 *
 * @throws FhirError `crowded` where it is large, and answers under way hold too much already.
 */
export function sendBytes(
  response: Response,
  status: number,
  bytes: Buffer,
  headers: Record<string, string> = {},
): void {
  if (bytes.length > portion) response.locals.underWay?.admit(bytes.length);
  response.writeHead(status, { ...headers, 'Content-Type': mediaType, 'Content-Length': bytes.length });
  // As a string of its bytes it goes out in one piece with the headers.
  if (bytes.length <= portion) endOut(response, bytes.toString('latin1'), 'latin1');
  else void sendPortions(response, [bytes]);
}

declare module 'express-serve-static-core' {
  interface Locals {
    /** Sends what of an answer is made while it is sent; called once the answer is noted. */
    rest?: () => Promise<void>;
  }
}

/**
 * Begins an answer that is made while it is sent.
 *
 * @throws FhirError `crowded` where answers under way hold too much already.
 */
export function beginStream(
  response: Response,
  status: number,
  { pieces, largest = portion }: BundleStream,
  headers: Record<string, string> = {},
): void {
  response.locals.underWay?.admit(largest);
  // Without a length it goes out in chunks; nothing of it is written yet, so that it may still be refused.
  response.status(status).set({ ...headers, 'Content-Type': mediaType });
  response.locals.rest = async () => {
    await response.locals.underWay?.turn();
    await sendPortions(response, response.req.method === 'HEAD' ? [] : pieces);
  };
}

/** Sends pieces as their reader takes them, small ones together. */
export async function sendPortions(response: Response, pieces: BundleStream['pieces']): Promise<void> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const bytes = bytesOf(piece);
    const large = bytes.length >= portion;
    if (!large) waiting.push(bytes);
    length += bytes.length;
    if (length < portion) continue;
    if (waiting.length > 0) await writeOut(response, Buffer.concat(waiting));
    // Not copied: it is held twice else, as long as its reader takes.
    if (large) await writeOut(response, bytes);
    if (response.destroyed) return;
    if (large) await response.locals.underWay?.turn();
    // A reader that is quick enough would have all pieces in one turn.
    else await setImmediate();
    waiting = [];
    length = 0;
  }
  endOut(response, Buffer.concat(waiting));
}

/** Begins an answer of CSV (RFC 4180), to be kept under a name. */
export function headCsv(response: Response, name: string): void {
  headFile(response, 'text/csv; charset=utf-8; header=present', name);
}

/** ETag and Last-Modified of a version (FHIR R4 http.html#versioning). */
export function versionHeaders({ version, lastUpdated }: VersionFacts): Record<string, string> {
  return { ETag: etagOf(version), 'Last-Modified': toHttpDate(lastUpdated) };
}

/** The text of an OperationOutcome with these issues. */
export function outcomeText(response: Response, issue: unknown): string {
  return JSON.stringify({ resourceType: 'OperationOutcome', id: requestIdOf(response), issue });
}

/** The last handler: turns whatever was thrown into an OperationOutcome; `refused` takes the request behind that. */
export function errorHandler(
  log: Log,
  refused: (request: Request, response: Response, kind: FaultKind) => void,
): ErrorRequestHandler {
  // Four parameters make it an error handler; nothing stands behind it, as Express' own would print what was thrown.
  return (thrown: unknown, request, response, _next) => {
    // Who went away before the whole request was here is no fault of the server.
    const error = thrown === request.errored ? brokenOff() : toFhirError(thrown);
    const id = requestIdOf(response);
    if (response.headersSent) response.destroy();
    else {
      sendJson(response, error.status, JSON.stringify(toOutcome(error, id)), { ...error.headers });
      refused(request, response, error.kind);
    }
    if (logged.includes(error.kind)) log(`request ${id} failed: ${faultText(thrown)}`);
    if (error.kind === 'damaged') log(`request ${id} met a damaged record; /app/damage names it`);
  };
}

/** What the store's disk and lock say of a request that they stopped. */
const storeFaults = [
  {
    is: (thrown: unknown) => thrown instanceof StoreUnsureError,
    kind: 'busy',
    text: 'The database went away while it stored this, and did not say whether it did. Look before you send it again.',
  },
  {
    is: (thrown: unknown) => thrown instanceof StoreBusyError,
    kind: 'busy',
    text: 'The database is busy; try again in a second.',
  },
  {
    is: (thrown: unknown) => thrown instanceof StoreDiskError,
    kind: 'disk-fault',
    text: 'The disk failed, and nothing was stored; records can be read. Try again in a second.',
  },
  {
    is: saysFull,
    kind: 'disk-full',
    text: 'The disk is full, and nothing was stored; records can be read. Make room, and try again.',
  },
] as const;

/** Faults that an operator has to know of. */
const logged: readonly FaultKind[] = ['exception', 'disk-fault', 'disk-full'];

function toFhirError(thrown: unknown): FhirError {
  if (thrown instanceof FhirError) return thrown;
  const stored = storeFaults.find(({ is }) => is(thrown));
  if (stored) return new FhirError(stored.kind, { text: stored.text }, { 'Retry-After': '1' });
  if (thrown instanceof URIError) {
    return new FhirError('malformed', { text: 'The address holds a percent escape that cannot be decoded.' });
  }
  if (memberOf(thrown, 'status').startsWith('4')) return brokenOff();
  return new FhirError('exception', {
    text: 'The server failed to answer this request; its log has the request id.',
  });
}
