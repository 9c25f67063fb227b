import { createContext, use, useSyncExternalStore } from 'react';
import { localConnection } from '../../../platform/connection.ts';
import { createDraftKeeper, type DraftState } from './draft-keeper.ts';

const { client } = localConnection;

/** This window's drafts. */
export const DraftsContext = createContext(
  createDraftKeeper({
    api: {
      save: (id, draft) => client.app('PUT', `/drafts/${id}`, draft),
      remove: (id) => client.app('DELETE', `/drafts/${id}`),
    },
    window: crypto.randomUUID(),
    newId: () => crypto.randomUUID(),
    now: () => Date.now(),
  }),
);

/** Whether the text of a tab is kept as a draft; `path` is that of its text model. */
export function useDraftState(path: string): DraftState {
  const keeper = use(DraftsContext);
  return useSyncExternalStore(keeper.subscribe, () => keeper.stateOf(path));
}
