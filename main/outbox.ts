import type { OpenRequest } from '../core/app/shell.ts';

/** Holds what is to be opened until the page listens and nothing is locked. */
export interface Outbox {
  readonly put: (request: OpenRequest) => void;
  /** The page listens; what waited is sent in its order. */
  readonly listening: () => void;
  /** The page was left or is loaded anew: it does not listen. */
  readonly left: () => void;
  /** Sends what waited, where nothing holds it any more. */
  readonly flush: () => void;
}

/** Returns an outbox to the page; `held` says whether something must wait although the page listens. */
export function createOutbox(send: (request: OpenRequest) => void, held: () => boolean): Outbox {
  let isListening = false;
  let waiting: OpenRequest[] = [];
  const flush = () => {
    if (!isListening || held()) return;
    const now = waiting;
    waiting = [];
    for (const request of now) send(request);
  };
  return {
    put(request) {
      waiting.push(request);
      flush();
    },
    listening() {
      isListening = true;
      flush();
    },
    left() {
      isListening = false;
    },
    flush,
  };
}
