import type { Request, Response } from 'express';
import { headerOf } from './head.ts';

/** Calls back behind an answer, with its milliseconds and the bytes of its body. */
export function behindAnswer(
  request: Request,
  response: Response,
  told: (ms: number, bytes: number) => void,
): void {
  const started = performance.now();
  const sent = request.socket.bytesWritten;
  response.once('close', () => {
    told(Math.round((performance.now() - started) * 10) / 10, answerSize(request, response, sent));
  });
}

/** Bytes of an answer's body; `sent` is what the socket had sent before it. */
function answerSize(request: Request, response: Response, sent: number): number {
  const told = headerOf(response, 'Content-Length');
  if (told !== undefined && request.method !== 'HEAD') return sizeOf(told);
  // A stream tells no length: what the socket has sent since, its frames included.
  return response.hasHeader('Transfer-Encoding') ? Math.max(0, request.socket.bytesWritten - sent) : 0;
}

/** A Content-Length as a number; 0 where it is none. */
export function sizeOf(length: string | undefined): number {
  const size = Number(length ?? 0);
  return Number.isSafeInteger(size) && size >= 0 ? size : 0;
}
