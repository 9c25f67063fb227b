import type { OpenRequest } from '../core/app/shell.ts';

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Returns an outbox to the page, which holds what is to be opened until the page listens and nothing is locked; `held` says
 * whether something must wait although the page listens.
 */
export function createOutbox(send: (request: OpenRequest) => void, held: () => boolean) {
  let isListening = false;
  let waiting: OpenRequest[] = [];
  const flush = () => {
    if (!isListening || held()) return;
    const now = waiting;
    waiting = [];
    for (const request of now) send(request);
  };
  return {
    put: (request: OpenRequest) => {
      waiting.push(request);
      flush();
    },
    /** The page listens; what waited is sent in its order. */
    listening: () => {
      isListening = true;
      flush();
    },
    /** The page was left or is loaded anew: it does not listen. */
    left: () => {
      isListening = false;
    },
    /** Sends what waited, where nothing holds it any more. */
    flush,
  };
}
