import type { Response } from 'express';

/** Aborted when a client goes away before it has its answer. */
export function goneSignal(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
