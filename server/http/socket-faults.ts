import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { mediaType } from '../../core/api/contract.ts';
import { FhirError, toOutcome, type FaultKind } from '../../core/fhir/outcome.ts';

/** Milliseconds within which a request's headers must have arrived. */
const headersLimit = 5000;
/** Milliseconds within which a whole request must have arrived. */
const requestLimit = 30_000;
/** Bytes a second at which a body comes at least, and the milliseconds after which that is first looked at. */
const slowest = { rate: 1000, after: 8000 };
/** Milliseconds between two looks at slow clients. */
const lookInterval = 2000;
/** Milliseconds by which a timer of a server that has its turns comes late at most. */
const standstill = 500;
/** Milliseconds that a refused client has to read why, before its connection is gone. */
const linger = 1000;
/** Bytes of a request's line and headers. */
export const headerBytes = 16 * 1024;

/** What Node's parser calls the faults that it finds before Express sees a request. */
const parserFaults: Readonly<Record<string, readonly [kind: FaultKind, text: string]>> = {
  HPE_HEADER_OVERFLOW: [
    'headers-too-large',
    `The request's line and headers are larger than ${headerBytes} bytes.`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['too-slow', 'The request did not arrive in time; send it again.'],
};

const unreadable = ['malformed', 'The request is not HTTP/1.1 that can be read.'] as const;

/**
 * Answers what never reaches Express: broken request lines, headers that are too large, slow clients, CONNECT,
 * Upgrade and `Expect`. Each gets JSON with an OperationOutcome, and the connection is closed.
 */
export function guardSocket(server: Server): void {
  server.headersTimeout = headersLimit;
  // Node would hold imports to one limit for the whole body; limitBodies knows them.
  server.requestTimeout = 0;
  server.on('connection', limitSilence);
  // Before Express, which changes the address while it looks for the route.
  server.prependListener('request', limitBody);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const [kind, text] = parserFaults[error.code ?? ''] ?? unreadable;
    refuseSocket(socket, new FhirError(kind, { text }));
  });
  for (const event of ['connect', 'upgrade'] as const) {
    server.on(event, (_request, socket: Duplex) => {
      const text = 'This server speaks plain HTTP/1.1: no CONNECT, no Upgrade.';
      refuseSocket(
        socket,
        new FhirError('method', { text }, { Allow: 'GET, HEAD, POST, PUT, PATCH, OPTIONS' }),
      );
    });
  }
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    const id = randomUUID();
    const error = new FhirError('expectation', {
      text: 'Of Expect, 100-continue alone is understood.',
      location: 'http.Expect',
    });
    response.writeHead(error.status, { ...headersOf(id), Connection: 'close' }).end(bodyOf(error, id));
  });
}

/** Options of `http.createServer` that belong to {@link guardSocket}. */
export const socketOptions = {
  maxHeaderSize: headerBytes,
  connectionsCheckingInterval: lookInterval,
  // Held on for longer than clients are told: a request that one sends in the last moment is not cut off.
  keepAliveTimeoutBuffer: 10_000,
  // Of a header that stands once, such as Authorization, a second is seen, where Node would drop it unsaid.
  joinDuplicateHeaders: true,
  // A missing Host gets our own answer, with an OperationOutcome, from the foreign guard.
  requireHostHeader: false,
} as const;

/**
 * Calls `look` after so many milliseconds in which the server had its turns. A timer that comes late says that it had not:
 * what clients sent meanwhile is still to be read, and their time begins anew. Answers how to call it off.
 */
function after(milliseconds: number, look: () => void): () => void {
  const due = performance.now() + milliseconds;
  let timer = setTimeout(() => {
    if (performance.now() - due < standstill) look();
    else timer = setTimeout(look, milliseconds).unref();
  }, milliseconds).unref();
  return () => clearTimeout(timer);
}

/** Ends a connection on which nothing comes: Node's own limit starts with the first byte. */
function limitSilence(socket: Socket): void {
  after(headersLimit, () => {
    if (socket.bytesRead === 0) socket.destroy();
  });
}

/**
 * Gives a request's body its time: the whole of it, which must not come byte by byte; of an import each pause between two
 * pieces. A body that nobody reads, since its request is answered already, has no more.
 */
function limitBody(request: IncomingMessage, response: ServerResponse): void {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (length === undefined && coding === undefined) return;
  const streamed = request.url?.startsWith('/app/import') === true;
  const refuse = () => {
    if (request.complete || request.destroyed) return;
    const [kind, text] = parserFaults.ERR_HTTP_REQUEST_TIMEOUT ?? unreadable;
    if (response.headersSent) request.destroy();
    else refuseSocket(request.socket, new FhirError(kind, { text }));
  };
  if (streamed) {
    request.setTimeout(requestLimit, refuse);
    return;
  }
  const { socket } = request;
  const before = socket.bytesRead;
  let waited = slowest.after;
  const look = () => {
    const slow = socket.bytesRead - before < (slowest.rate * waited) / 1000;
    if (slow || waited >= requestLimit) refuse();
    else callOff = after(lookInterval, look);
    waited += lookInterval;
  };
  let callOff = after(slowest.after, look);
  response.once('close', () => {
    if (request.complete || socket.destroyed) callOff();
  });
}

function refuseSocket(socket: Duplex, error: FhirError): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const id = randomUUID();
  const body = bodyOf(error, id);
  const headers = {
    ...headersOf(id),
    ...error.headers,
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(
    `HTTP/1.1 ${error.status} ${reasons[error.status] ?? 'Refused'}\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
  );
  // A client that goes on sending would keep its half of the connection open.
  setTimeout(() => socket.destroy(), linger).unref();
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function headersOf(id: string): Record<string, string> {
  return { 'Content-Type': mediaType, 'Cache-Control': 'no-store', 'X-Request-Id': id };
}

function bodyOf(error: FhirError, id: string): string {
  return JSON.stringify(toOutcome(error, id));
}
