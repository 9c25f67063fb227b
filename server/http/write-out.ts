import type { Response } from 'express';
import { setImmediate } from 'node:timers/promises';

/** Milliseconds in which a reader has to take something. */
const patience = 30_000;

/** Bytes that a connection is given at once, and so the least that shows that its reader goes on. */
export const portion = 256 * 1024;

/**
 * Writes a piece of an answer, a portion at a time, and waits while its reader is slower; at once where it is gone. Who
 * takes nothing for a while is dropped. Nothing is left listening behind it: an answer has many pieces.
 */
export async function writeOut(response: Response, piece: string | Buffer): Promise<void> {
  const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
  const { underWay } = response.locals;
  underWay?.hold(bytes.length);
  try {
    for (let at = 0; at < bytes.length && !response.destroyed; at += portion) {
      // One that is quick enough would have all of it in one turn.
      if (at > 0) await setImmediate();
      if (!response.write(bytes.subarray(at, at + portion))) await taken(response, 'drain');
    }
  } finally {
    underWay?.hold(-bytes.length);
  }
}

/** Begins an answer that is to be kept under a name. */
export function headFile(response: Response, type: string, name: string): void {
  response.status(200).set({ 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` });
}

/**
 * Answers with resources as a file, one a line: slice by slice, so that none is held for a slow reader, and with the turn of
 * other requests between two.
 */
export async function sendLines(
  response: Response,
  name: string,
  slices: Iterable<readonly object[]> | AsyncIterable<readonly object[]>,
): Promise<void> {
  headFile(response, 'application/fhir+ndjson', name);
  for await (const slice of slices) {
    if (response.destroyed) return;
    await writeOut(response, slice.map((one) => `${JSON.stringify(one)}\n`).join(''));
    await setImmediate();
  }
  response.end();
}

/** Ends an answer, with its last piece where there is one, and drops a reader that does not take it. */
export function endOut(response: Response, last?: string | Buffer, encoding: BufferEncoding = 'utf8'): void {
  response.end(last, encoding);
  const left = response.writableLength;
  if (left === 0) return;
  const { underWay } = response.locals;
  underWay?.hold(left);
  void taken(response, 'finish').then(() => underWay?.hold(-left));
}

/** Resolves with the event, or once the connection is closed: by us where its reader lets too much time pass. */
function taken(response: Response, event: 'drain' | 'finish'): Promise<void> {
  return new Promise((resolve) => {
    let waiting = true;
    const go = () => {
      waiting = false;
      clearTimeout(timer);
      response.off(event, go).off('close', go);
      resolve();
    };
    const drop = async () => {
      // Behind a standstill of ours a timer comes before what the client did meanwhile.
      await setImmediate();
      if (waiting) response.destroy();
    };
    // Behind another answer of its connection it has not come to its turn.
    const look = () => {
      if (response.socket) void drop();
      else timer = setTimeout(look, patience).unref();
    };
    let timer = setTimeout(look, patience).unref();
    response.on(event, go).on('close', go);
  });
}
