import type { OpenRequest } from '../../core/app/shell.ts';
import { desktop } from './desktop.ts';

type Listener = (request: OpenRequest) => void;

let listener: Listener | undefined;
let waiting: OpenRequest[] = [];
let isReady = false;

desktop?.onOpen((request) => {
  if (listener) listener(request);
  else waiting.push(request);
});

/** What the desktop shell asks to be opened. It waits while nobody listens: the workbench is built anew for a server. */
export const openRequests = {
  /** Hands over what waits and what comes, to one listener at a time; returns how to stop. */
  listen(take: Listener): () => void {
    listener = take;
    if (!isReady) desktop?.ready();
    isReady = true;
    const now = waiting;
    waiting = [];
    for (const request of now) take(request);
    return () => {
      if (listener === take) listener = undefined;
    };
  },
  /** Keeps a request for the listener after this one; returns how to take it back. */
  keepForNext(request: OpenRequest): () => void {
    waiting.push(request);
    return () => {
      waiting = waiting.filter((one) => one !== request);
    };
  },
};
