import type { OpenRequest } from '../../core/app/shell.ts';
import { createStore } from '../ui/store.ts';
import { desktop } from './desktop.ts';

interface Waiting {
  readonly request: OpenRequest;
  /** Name of the connection whose workbench takes it; any does where absent. */
  readonly connection?: string;
}

const waiting = createStore<readonly Waiting[]>([]);

function put(one: Waiting): () => void {
  waiting.set([...waiting.get(), one]);
  return () => waiting.set(waiting.get().filter((other) => other !== one));
}

desktop?.onOpen((request) => put({ request }));

/** What the desktop shell asks to be opened. It waits until a workbench takes it: one is built anew for each server. */
export const openRequests = {
  subscribe: waiting.subscribe,
  /** Hands over what waits for the workbench of a connection. */
  take(connection: string): readonly OpenRequest[] {
    const { mine = [], others = [] } = Object.groupBy(waiting.get(), (one) =>
      (one.connection ?? connection) === connection ? 'mine' : 'others',
    );
    if (mine.length > 0) waiting.set(others);
    return mine.map(({ request }) => request);
  },
  /** Keeps a request for the workbench of a connection; returns how to take it back. */
  keepFor: (connection: string, request: OpenRequest) => put({ request, connection }),
};
