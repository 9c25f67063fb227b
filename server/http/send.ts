import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import { bytesOf } from '../fhir/bundle-text.ts';
import { memoryBudget } from '../memory-budget.ts';
import { portionBytes } from './reply.ts';
import type { ApiRequest, ApiResponse, BodyStream, SentResponse } from './request.ts';

const messages = defineMessages('answers', {
  crowded: 'The server is waiting for other clients to read their responses. Try again in a few seconds.',
});

/** Headers of every response. It can't be cached, framed, sniffed, executed or read by another site. */
export const commonHeaders = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** Milliseconds until a reader must have read data. */
const timeoutMs = 30_000;

/** Limits the bytes of responses that clients have not read yet, over all connections. */
export class PendingResponses {
  private pendingBytes = 0;
  private lastTurn: Promise<void> = Promise.resolve();
  private readonly maxBytes: number;

  /** Metric of the unread bytes. */
  readonly meter = {
    name: 'answers_held_bytes',
    help: 'Bytes of responses that clients have not read yet.',
    readValue: () => this.pendingBytes,
  };

  constructor(maxBytes: number = memoryBudget().answers) {
    this.maxBytes = maxBytes;
  }

  /** @throws FhirError `crowded` if a response of `bytes` exceeds the limit. */
  admit(bytes: number): void {
    if (this.pendingBytes + bytes <= this.maxBytes) return;
    throw new FhirError('crowded', messages.crowded(), { 'Retry-After': '5' });
  }

  /** Resolves when a large text may be read: one per turn, so that many streams never read at once. */
  waitForTurn(): Promise<void> {
    this.lastTurn = this.lastTurn.then(() => setImmediate());
    return this.lastTurn;
  }

  /** Counts unread bytes. A negative number releases them. */
  addPending(bytes: number): void {
    this.pendingBytes += bytes;
  }
}

/** Sends the response of one request, at the pace of its reader. An idle reader is disconnected. */
export class ResponseSender implements SentResponse {
  readonly outgoing: ServerResponse;
  private readonly request: ApiRequest;
  private readonly pendingResponses: PendingResponses;
  private head: OutgoingHttpHeaders = {};
  private writtenBytes = 0;
  private readonly startMs = performance.now();

  constructor(request: ApiRequest, outgoing: ServerResponse, pendingResponses: PendingResponses) {
    this.outgoing = outgoing;
    this.request = request;
    this.pendingResponses = pendingResponses;
    outgoing.once('close', () => request.close(this));
  }

  get status(): number {
    return this.outgoing.statusCode;
  }

  get isComplete(): boolean {
    return this.outgoing.writableFinished;
  }

  get bytes(): number {
    const { method } = this.request;
    if (method === 'HEAD') return 0;
    const declaredLength = this.findHeader('Content-Length');
    return declaredLength === undefined ? this.writtenBytes : Number(declaredLength);
  }

  get ms(): number {
    return Math.round((performance.now() - this.startMs) * 10) / 10;
  }

  /** Returns a header, set or written. */
  findHeader(name: string): string | undefined {
    const lowerName = name.toLowerCase();
    const [, value = this.outgoing.getHeader(name)] =
      Object.entries(this.head).find(([key]) => key.toLowerCase() === lowerName) ?? [];
    return value === undefined ? undefined : String(value);
  }

  /**
   * Sends a response. Resolves when its last piece is written.
   *
   * @throws FhirError `crowded` if pending responses leave no space. Nothing is sent then.
   */
  async send(response: ApiResponse): Promise<void> {
    const { body } = response;
    if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) {
      await this.sendWhole(response, body);
    } else if (typeof body === 'object') {
      await this.sendStream(response, body);
    } else {
      this.writeHead(response);
      response.onStarted?.();
      body(this.outgoing);
    }
  }

  /** Sets the headers of every response, for a response that another library sends. */
  setCommonHeaders(headers?: ApiResponse['headers']): void {
    for (const [name, value] of Object.entries(this.addCommonHeaders(headers))) {
      this.outgoing.setHeader(name, value);
    }
  }

  private addCommonHeaders(headers: ApiResponse['headers']): Record<string, string> {
    const { requestId, responseHeaders } = this.request;
    return { ...commonHeaders, 'X-Request-Id': requestId, ...responseHeaders, ...headers };
  }

  /** Writes the whole head at once. Node checks and stores each header that is set separately. */
  private writeHead({ status, headers }: ApiResponse, bodyLength?: number): void {
    const head: OutgoingHttpHeaders = this.addCommonHeaders(headers);
    if (bodyLength !== undefined) head['Content-Length'] = bodyLength;
    this.head = head;
    this.outgoing.writeHead(status, head);
  }

  private async sendWhole(response: ApiResponse, body: string | Buffer | undefined): Promise<void> {
    if (body === undefined) {
      this.writeHead(response);
      this.end();
      response.onStarted?.();
      return;
    }
    const length = Buffer.byteLength(body);
    const isLarge = length > portionBytes;
    if (isLarge && response.isRefusable) this.pendingResponses.admit(length);
    this.writeHead(response, length);
    // A string is sent in one piece with the headers.
    if (!isLarge)
      this.end(
        typeof body === 'string' ? body : body.toString('latin1'),
        typeof body === 'string' ? 'utf8' : 'latin1',
      );
    response.onStarted?.();
    if (isLarge) await this.sendPieces([body]);
  }

  private async sendStream(response: ApiResponse, stream: BodyStream): Promise<void> {
    if (stream.largest !== undefined) this.pendingResponses.admit(stream.largest);
    // Without a length it is sent in chunks. Nothing is written yet, so a rejection is still possible.
    this.outgoing.statusCode = response.status;
    this.setCommonHeaders(response.headers);
    response.onStarted?.();
    if (stream.largest !== undefined) await this.pendingResponses.waitForTurn();
    if (this.request.method === 'HEAD') this.end();
    else if (stream.isLive) await this.sendLive(stream);
    else await this.sendPieces(stream.pieces);
  }

  private async sendLive({ pieces, isWork }: BodyStream): Promise<void> {
    for await (const piece of pieces) {
      if (this.outgoing.destroyed && !isWork) return;
      await this.writeChunk(bytesOf(piece));
      // Other requests run first, because the store is synchronous.
      await setImmediate();
    }
    this.end();
  }

  /** Sends chunks at the pace of the reader, small chunks together. */
  private async sendPieces(pieces: BodyStream['pieces']): Promise<void> {
    let pendingChunks: Buffer[] = [];
    let length = 0;
    for await (const piece of pieces) {
      const bytes = bytesOf(piece);
      const isLarge = bytes.length >= portionBytes;
      if (!isLarge) pendingChunks.push(bytes);
      length += bytes.length;
      if (length < portionBytes) continue;
      if (pendingChunks.length > 0) await this.writeChunk(Buffer.concat(pendingChunks));
      // Not copied, because a slow reader would double its memory.
      if (isLarge) await this.writeChunk(bytes);
      if (this.outgoing.destroyed) return;
      if (isLarge) await this.pendingResponses.waitForTurn();
      // A fast reader would otherwise get all chunks in one turn.
      else await setImmediate();
      pendingChunks = [];
      length = 0;
    }
    this.end(Buffer.concat(pendingChunks));
  }

  /**
   * Writes a chunk in portions and waits for a slow reader. Resolves at once if the client has disconnected.
   *
   * No listener remains, because a response has many chunks.
   */
  private async writeChunk(bytes: Buffer): Promise<void> {
    this.writtenBytes += bytes.length;
    this.pendingResponses.addPending(bytes.length);
    try {
      for (let offset = 0; offset < bytes.length && !this.outgoing.destroyed; offset += portionBytes) {
        // A fast reader would otherwise get everything in one turn.
        if (offset > 0) await setImmediate();
        if (!this.outgoing.write(bytes.subarray(offset, offset + portionBytes)))
          await waitUntilRead(this.outgoing, 'drain');
      }
    } finally {
      this.pendingResponses.addPending(-bytes.length);
    }
  }

  /** Ends the response with an optional last chunk. Disconnects a reader that does not read it. */
  private end(lastChunk: string | Buffer = '', encoding: BufferEncoding = 'utf8'): void {
    this.writtenBytes += lastChunk.length;
    this.outgoing.end(lastChunk, encoding);
    const pendingBytes = this.outgoing.writableLength;
    if (pendingBytes === 0) return;
    this.pendingResponses.addPending(pendingBytes);
    void waitUntilRead(this.outgoing, 'finish').then(() => this.pendingResponses.addPending(-pendingBytes));
  }
}

/** Resolves with the event or when the connection closes. Closes the connection of an idle reader. */
function waitUntilRead(outgoing: ServerResponse, event: 'drain' | 'finish'): Promise<void> {
  return new Promise((resolve) => {
    let isWaiting = true;
    const finish = () => {
      isWaiting = false;
      clearTimeout(timer);
      outgoing.off(event, finish).off('close', finish);
      resolve();
    };
    const closeIfWaiting = async () => {
      // If the server was blocked, this timer runs before the client's data is processed.
      await setImmediate();
      if (isWaiting) outgoing.destroy();
    };
    // An earlier response of the same connection is still being sent.
    const check = () => {
      if (outgoing.socket) void closeIfWaiting();
      else timer = setTimeout(check, timeoutMs).unref();
    };
    let timer = setTimeout(check, timeoutMs).unref();
    outgoing.on(event, finish).on('close', finish);
  });
}
