import type { OpenRequest } from '../../core/app/shell.ts';
import { createStore } from '../ui/store.ts';
import { desktop } from './desktop.ts';

interface PendingRequest {
  readonly request: OpenRequest;
  /** Name of the connection whose workbench handles it; undefined if any may. */
  readonly connection?: string;
}

const pendingRequests = createStore<readonly PendingRequest[]>([]);

function addRequest(pending: PendingRequest): () => void {
  pendingRequests.set([...pendingRequests.get(), pending]);
  return () => pendingRequests.set(pendingRequests.get().filter((candidate) => candidate !== pending));
}

desktop?.onOpen((request) => addRequest({ request }));

/**
 * Requests of the desktop shell to open something. They wait for a workbench, which is created again for each
 * server.
 */
export const openRequests = {
  subscribe: pendingRequests.subscribe,
  /** Returns and removes the requests for the workbench of a connection. */
  consume(connection: string): readonly OpenRequest[] {
    const { mine: ownRequests = [], others: otherRequests = [] } = Object.groupBy(
      pendingRequests.get(),
      (pending) => ((pending.connection ?? connection) === connection ? 'mine' : 'others'),
    );
    if (ownRequests.length > 0) pendingRequests.set(otherRequests);
    return ownRequests.map(({ request }) => request);
  },
  /** Adds a request for the workbench of a connection. Returns the function that removes it. */
  keepFor: (connection: string, request: OpenRequest) => addRequest({ request, connection }),
};
