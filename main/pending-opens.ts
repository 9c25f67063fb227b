import type { OpenRequest } from '../core/app/shell.ts';

export type PendingOpens = ReturnType<typeof createPendingOpens>;

/**
 * Creates a queue of open requests for the page. It sends them as soon as the page listens and `isHeld` returns
 * false.
 */
export function createPendingOpens(send: (request: OpenRequest) => void, isHeld: () => boolean) {
  let isListening = false;
  let pendingRequests: OpenRequest[] = [];
  const flush = () => {
    if (!isListening || isHeld()) return;
    const readyRequests = pendingRequests;
    pendingRequests = [];
    for (const request of readyRequests) send(request);
  };
  return {
    addRequest: (request: OpenRequest) => {
      pendingRequests.push(request);
      flush();
    },
    /** The page listens. Sends the pending requests in order. */
    onPageListening: () => {
      isListening = true;
      flush();
    },
    /** The page was left or reloads, so it does not listen. */
    onPageLeft: () => {
      isListening = false;
    },
    /** Sends the pending requests unless they are held. */
    flush,
  };
}
