import type { Response } from 'express';

/**
 * Writes a piece of an answer, and waits where the client reads more slowly than the store; at once where it is gone.
 * Nothing is left listening behind it: an answer has many pieces.
 */
export async function writeOut(response: Response, piece: string | Buffer): Promise<void> {
  if (response.destroyed || response.write(piece)) return;
  await new Promise<void>((resolve) => {
    const go = () => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}
