import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { mediaType } from '../../core/api/contract.ts';
import { FhirError, toOutcome } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';

/** Milliseconds until the headers of a request must be complete. */
const headersTimeoutMs = 5000;
/** Milliseconds until a whole request must be complete. */
const requestTimeoutMs = 30_000;
/** Lowest rate of a body in bytes per second, and milliseconds until the first check. */
const minBodySpeed = { rate: 1000, after: 8000 };
/** Milliseconds between two checks of slow clients. */
const checkIntervalMs = 2000;
/** Longest delay of a timer in milliseconds if the server is not blocked. */
const maxTimerDelayMs = 500;
/** Milliseconds for a rejected client to read the response. */
const closeDelayMs = 1000;
/** Bytes of the request line and headers. */
export const maxHeaderBytes = 16 * 1024;

const messages = defineMessages('socket', {
  headersTooLarge: 'The request’s headers are larger than {bytes} bytes.',
  tooSlow: 'The request took too long to arrive. Send it again.',
  unreadable: 'Not a valid HTTP/1.1 request.',
  plainOnly: 'Only plain HTTP/1.1 is supported: no CONNECT, no Upgrade.',
  expectation: 'Only Expect: 100-continue is supported.',
});

/** Errors of Node's parser before a handler sees a request, by code. */
const parserErrors: Readonly<Record<string, () => FhirError>> = {
  HPE_HEADER_OVERFLOW: () =>
    new FhirError('headers-too-large', messages.headersTooLarge({ bytes: maxHeaderBytes })),
  ERR_HTTP_REQUEST_TIMEOUT: createTooSlowError,
};

function createTooSlowError(): FhirError {
  return new FhirError('too-slow', messages.tooSlow());
}

function createUnreadableError(): FhirError {
  return new FhirError('malformed', messages.unreadable());
}

/**
 * Responds to requests that never reach a handler: invalid request lines, large headers, slow clients,
 * CONNECT, Upgrade and `Expect`.
 *
 * Each response is an OperationOutcome, and the connection closes.
 */
export function guardSocket(server: Server): void {
  server.headersTimeout = headersTimeoutMs;
  // Node would apply one limit to the whole body of an import. limitBody treats imports separately.
  server.requestTimeout = 0;
  server.on('connection', limitSilence);
  server.prependListener('request', limitBody);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const createError = parserErrors[error.code ?? ''] ?? createUnreadableError;
    rejectSocket(socket, createError());
  });
  for (const event of ['connect', 'upgrade'] as const) {
    server.on(event, (_request, socket: Duplex) => {
      const headers = { Allow: 'GET, HEAD, POST, PUT, PATCH, OPTIONS' };
      rejectSocket(socket, new FhirError('method', messages.plainOnly(), headers));
    });
  }
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    const id = randomUUID();
    const error = new FhirError('expectation', { ...messages.expectation(), location: 'http.Expect' });
    response
      .writeHead(error.status, { ...buildHeaders(id), Connection: 'close' })
      .end(formatOutcome(error, id));
  });
}

/** Options of `http.createServer` that belong to {@link guardSocket}. */
export const socketOptions = {
  maxHeaderSize: maxHeaderBytes,
  connectionsCheckingInterval: checkIntervalMs,
  // Longer than the announced time, so that a late request is not cut off.
  keepAliveTimeoutBuffer: 10_000,
  // Shows the second value of a header such as Authorization. Node would silently drop it.
  joinDuplicateHeaders: true,
  // A missing Host gets an OperationOutcome of the origin guard.
  requireHostHeader: false,
} as const;

/**
 * Calls `callback` after this many milliseconds in which the server was not blocked. Returns a function that
 * cancels the call.
 *
 * A late timer means that the server was blocked. Data of clients is then still unread, so their time starts
 * again.
 */
function scheduleAfter(delayMs: number, callback: () => void): () => void {
  const dueMs = performance.now() + delayMs;
  let timer = setTimeout(() => {
    if (performance.now() - dueMs < maxTimerDelayMs) callback();
    else timer = setTimeout(callback, delayMs).unref();
  }, delayMs).unref();
  return () => clearTimeout(timer);
}

/** Closes a connection without data. Node's own timeout starts with the first byte. */
function limitSilence(socket: Socket): void {
  scheduleAfter(headersTimeoutMs, () => {
    if (socket.bytesRead === 0) socket.destroy();
  });
}

/**
 * Limits the time of a body: its total time and rate, or the pauses of an import.
 *
 * A body whose request already has its response gets no more time.
 */
function limitBody(request: IncomingMessage, response: ServerResponse): void {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (length === undefined && coding === undefined) return;
  const isStreamed = request.url?.startsWith('/app/import') === true;
  const rejectSlow = () => {
    if (request.complete || request.destroyed) return;
    if (response.headersSent) request.destroy();
    else rejectSocket(request.socket, createTooSlowError());
  };
  if (isStreamed) {
    request.setTimeout(requestTimeoutMs, rejectSlow);
    return;
  }
  const { socket } = request;
  const bytesBefore = socket.bytesRead;
  let waitedMs = minBodySpeed.after;
  const checkSpeed = () => {
    const isSlow = socket.bytesRead - bytesBefore < (minBodySpeed.rate * waitedMs) / 1000;
    if (isSlow || waitedMs >= requestTimeoutMs) rejectSlow();
    else cancelCheck = scheduleAfter(checkIntervalMs, checkSpeed);
    waitedMs += checkIntervalMs;
  };
  let cancelCheck = scheduleAfter(minBodySpeed.after, checkSpeed);
  response.once('close', () => {
    if (request.complete || socket.destroyed) cancelCheck();
  });
}

function rejectSocket(socket: Duplex, error: FhirError): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const id = randomUUID();
  const body = formatOutcome(error, id);
  const headers = {
    ...buildHeaders(id),
    ...error.headers,
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(
    `HTTP/1.1 ${error.status} ${reasons[error.status] ?? 'Refused'}\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
  );
  // A client that continues to send would keep its half of the connection open.
  setTimeout(() => socket.destroy(), closeDelayMs).unref();
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function buildHeaders(id: string): Record<string, string> {
  return { 'Content-Type': mediaType, 'Cache-Control': 'no-store', 'X-Request-Id': id };
}

function formatOutcome(error: FhirError, id: string): string {
  return JSON.stringify(toOutcome(error, id));
}
