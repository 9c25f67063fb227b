import type { Request, Response } from 'express';
import { getHeader } from './head.ts';

/** Calls back after a response, with its milliseconds and the bytes of its body. */
export function onResponseFinished(
  request: Request,
  response: Response,
  onFinished: (ms: number, bytes: number) => void,
): void {
  const startMs = performance.now();
  const bytesBefore = request.socket.bytesWritten;
  response.once('close', () => {
    onFinished(
      Math.round((performance.now() - startMs) * 10) / 10,
      measureBody(request, response, bytesBefore),
    );
  });
}

/**
 * Returns the body bytes of a response.
 *
 * @param bytesBefore - Bytes that the socket had sent before.
 */
function measureBody(request: Request, response: Response, bytesBefore: number): number {
  const declaredLength = getHeader(response, 'Content-Length');
  if (declaredLength !== undefined && request.method !== 'HEAD') return parseContentLength(declaredLength);
  // A stream has no declared length, so the bytes of the socket count, including chunk frames.
  return response.hasHeader('Transfer-Encoding') ? Math.max(0, request.socket.bytesWritten - bytesBefore) : 0;
}

/** Parses a Content-Length. Returns 0 for an invalid value. */
export function parseContentLength(length: string | undefined): number {
  const size = Number(length ?? 0);
  return Number.isSafeInteger(size) && size >= 0 ? size : 0;
}
