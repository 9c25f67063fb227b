import type { Response } from 'express';
import { setImmediate } from 'node:timers/promises';

/** Milliseconds until a reader must have read data. */
const timeoutMs = 30_000;

/** Bytes per write. A reader that reads this much counts as active. */
export const portionBytes = 256 * 1024;

/**
 * Writes a chunk in portions and waits for a slow reader. Resolves at once if the client has disconnected.
 *
 * An idle reader is disconnected. No listener remains, because a response has many chunks.
 */
export async function writeChunk(response: Response, piece: string | Buffer): Promise<void> {
  const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
  const { pendingResponses } = response.locals;
  pendingResponses?.addPending(bytes.length);
  try {
    for (let offset = 0; offset < bytes.length && !response.destroyed; offset += portionBytes) {
      // A fast reader would otherwise get everything in one turn.
      if (offset > 0) await setImmediate();
      if (!response.write(bytes.subarray(offset, offset + portionBytes)))
        await waitUntilRead(response, 'drain');
    }
  } finally {
    pendingResponses?.addPending(-bytes.length);
  }
}

/** Starts a response that is saved as a file. */
export function startFile(response: Response, type: string, name: string): void {
  response.status(200).set({ 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` });
}

/**
 * Sends resources as a file with one line each, in batches.
 *
 * No batch is held for a slow reader, and other requests run between two batches.
 */
export async function sendLines(
  response: Response,
  name: string,
  slices: Iterable<readonly object[]> | AsyncIterable<readonly object[]>,
): Promise<void> {
  startFile(response, 'application/fhir+ndjson', name);
  for await (const slice of slices) {
    if (response.destroyed) return;
    await writeChunk(response, slice.map((resource) => `${JSON.stringify(resource)}\n`).join(''));
    await setImmediate();
  }
  response.end();
}

/** Ends a response with an optional last chunk. Disconnects a reader that does not read it. */
export function endResponse(
  response: Response,
  lastChunk?: string | Buffer,
  encoding: BufferEncoding = 'utf8',
): void {
  response.end(lastChunk, encoding);
  const pendingBytes = response.writableLength;
  if (pendingBytes === 0) return;
  const { pendingResponses } = response.locals;
  pendingResponses?.addPending(pendingBytes);
  void waitUntilRead(response, 'finish').then(() => pendingResponses?.addPending(-pendingBytes));
}

/** Resolves with the event or when the connection closes. Closes the connection of an idle reader. */
function waitUntilRead(response: Response, event: 'drain' | 'finish'): Promise<void> {
  return new Promise((resolve) => {
    let isWaiting = true;
    const finish = () => {
      isWaiting = false;
      clearTimeout(timer);
      response.off(event, finish).off('close', finish);
      resolve();
    };
    const closeIfWaiting = async () => {
      // If the server was blocked, this timer runs before the client's data is processed.
      await setImmediate();
      if (isWaiting) response.destroy();
    };
    // An earlier response of the same connection is still being sent.
    const check = () => {
      if (response.socket) void closeIfWaiting();
      else timer = setTimeout(check, timeoutMs).unref();
    };
    let timer = setTimeout(check, timeoutMs).unref();
    response.on(event, finish).on('close', finish);
  });
}
