/** Bytes over a bare connection, and the answers that came back before it closed. */
import { connect, type Socket } from 'node:net';
import type { Shown } from './outcome.ts';

export interface RawAnswer extends Shown {
  readonly headers: Readonly<Record<string, string>>;
}

export interface ExchangeOptions {
  /** Whole answers to wait for. */
  readonly answers?: number;
  /** Whether the sending side ends behind the last byte. */
  readonly halfClose?: boolean;
  /** Whether each byte is a packet of its own. */
  readonly bytewise?: boolean;
}

/** How long a connection may stay silent before the server is held to have given no answer. */
const timeoutMs = 60_000;

/**
 * Sends `bytes`; resolves with all that came back once the server closed, or once `answers` whole answers are there.
 * Rejects where neither happens in time.
 */
export function exchange(
  origin: string,
  bytes: string | Buffer,
  { answers = 1, halfClose = false, bytewise = false }: ExchangeOptions = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    const received: Buffer[] = [];
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(Buffer.concat(received));
    };
    const timer = setTimeout(() => {
      socket.destroy();
      reject(
        new Error(`No whole answer within ${timeoutMs} ms; got ${Buffer.concat(received).length} bytes`),
      );
    }, timeoutMs);
    socket.on('data', (chunk) => {
      received.push(chunk);
      if (readAnswers(Buffer.concat(received), false).length >= answers) finish();
    });
    // A reset after the answer is a close all the same.
    socket.once('error', finish);
    socket.once('close', finish);
    const sent = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
    if (halfClose) socket.end(sent);
    else if (bytewise) writeBytes(socket, sent);
    else socket.write(sent);
  });
}

function writeBytes(socket: Socket, [first, ...rest]: Iterable<number>): void {
  if (first === undefined || socket.destroyed) return;
  socket.setNoDelay(true);
  socket.write(Uint8Array.of(first), () => setImmediate(writeBytes, socket, rest));
}

/** The whole answers in what came back; one that is cut short is left out, unless `closed` marks its end. */
export function readAnswers(bytes: Buffer, closed = true): RawAnswer[] {
  const found: RawAnswer[] = [];
  let rest = bytes;
  for (;;) {
    const split = rest.indexOf('\r\n\r\n');
    if (split === -1) return found;
    const [line = '', ...lines] = rest.subarray(0, split).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      lines.map((one) => [
        one.slice(0, one.indexOf(':')).toLowerCase(),
        one.slice(one.indexOf(':') + 1).trim(),
      ]),
    );
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
    const body = bodyOf(status, headers, rest.subarray(split + 4), closed);
    if (!body) return found;
    found.push({ status, headers, header: (name) => headers[name], text: body.text });
    rest = rest.subarray(split + 4 + body.length);
  }
}

/** RFC 9112 section 6.3, for what this server sends. */
function bodyOf(status: number, headers: Record<string, string>, rest: Buffer, closed: boolean) {
  if (status < 200 || status === 204 || status === 304) return { text: '', length: 0 };
  if (headers['transfer-encoding'] === 'chunked') return dechunk(rest);
  if (headers['content-length'] === undefined) {
    return closed ? { text: rest.toString(), length: rest.length } : undefined;
  }
  const length = Number(headers['content-length']);
  return rest.length < length ? undefined : { text: rest.subarray(0, length).toString(), length };
}

/** Undefined where the last chunk has not come. */
function dechunk(rest: Buffer): { text: string; length: number } | undefined {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const line = rest.indexOf('\r\n', at);
    if (line === -1) return undefined;
    const size = parseInt(rest.subarray(at, line).toString(), 16);
    at = line + 2 + size + 2;
    if (at > rest.length) return undefined;
    if (size === 0) return { text: Buffer.concat(parts).toString(), length: at };
    parts.push(rest.subarray(line + 2, at - 2));
  }
}
