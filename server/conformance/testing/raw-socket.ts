/** Sends bytes over a raw connection and parses the responses. */
import { connect, type Socket } from 'node:net';
import type { ResponseParts } from './outcome.ts';

export interface RawAnswer extends ResponseParts {
  readonly headers: Readonly<Record<string, string>>;
}

export interface ExchangeOptions {
  /** Number of complete responses to wait for. */
  readonly answers?: number;
  /** True ends the sending side after the last byte. */
  readonly halfClose?: boolean;
  /** True sends each byte in a separate packet. */
  readonly bytewise?: boolean;
}

/** Time limit of an exchange. */
const timeoutMs = 60_000;

/**
 * Sends `bytes` and returns the received bytes, when the server closes or `answers` responses are complete.
 *
 * @throws Error if this takes longer than the time limit.
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
    // A reset after the response counts as a close.
    socket.once('error', finish);
    socket.once('close', finish);
    const sentBytes = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
    if (halfClose) socket.end(sentBytes);
    else if (bytewise) writeBytes(socket, sentBytes);
    else socket.write(sentBytes);
  });
}

function writeBytes(socket: Socket, [firstByte, ...remainingBytes]: Iterable<number>): void {
  if (firstByte === undefined || socket.destroyed) return;
  socket.setNoDelay(true);
  socket.write(Uint8Array.of(firstByte), () => setImmediate(writeBytes, socket, remainingBytes));
}

/** Parses the complete responses. `closed` means that the end of the bytes completes the last response. */
export function readAnswers(bytes: Buffer, closed = true): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let remainingBytes = bytes;
  for (;;) {
    const split = remainingBytes.indexOf('\r\n\r\n');
    if (split === -1) return answers;
    const [line = '', ...lines] = remainingBytes.subarray(0, split).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      lines.map((headerLine) => [
        headerLine.slice(0, headerLine.indexOf(':')).toLowerCase(),
        headerLine.slice(headerLine.indexOf(':') + 1).trim(),
      ]),
    );
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
    const body = bodyOf(status, headers, remainingBytes.subarray(split + 4), closed);
    if (!body) return answers;
    answers.push({ status, headers, header: (name) => headers[name], text: body.text });
    remainingBytes = remainingBytes.subarray(split + 4 + body.length);
  }
}

/** Reads a body by RFC 9112 section 6.3, limited to the framings of this server. */
function bodyOf(status: number, headers: Record<string, string>, remainingBytes: Buffer, closed: boolean) {
  if (status < 200 || status === 204 || status === 304) return { text: '', length: 0 };
  if (headers['transfer-encoding'] === 'chunked') return dechunk(remainingBytes);
  if (headers['content-length'] === undefined) {
    return closed ? { text: remainingBytes.toString(), length: remainingBytes.length } : undefined;
  }
  const length = Number(headers['content-length']);
  return remainingBytes.length < length
    ? undefined
    : { text: remainingBytes.subarray(0, length).toString(), length };
}

/** Decodes a chunked body; undefined if the last chunk is missing. */
function dechunk(remainingBytes: Buffer): { text: string; length: number } | undefined {
  const parts: Buffer[] = [];
  let offset = 0;
  for (;;) {
    const line = remainingBytes.indexOf('\r\n', offset);
    if (line === -1) return undefined;
    const size = parseInt(remainingBytes.subarray(offset, line).toString(), 16);
    offset = line + 2 + size + 2;
    if (offset > remainingBytes.length) return undefined;
    if (size === 0) return { text: Buffer.concat(parts).toString(), length: offset };
    parts.push(remainingBytes.subarray(line + 2, offset - 2));
  }
}
