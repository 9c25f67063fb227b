import { createContext, use, useSyncExternalStore } from 'react';
import type { Client } from '../../../../core/api/client.ts';
import { defaultPreferences } from '../../../../core/app/preferences.ts';
import { createStore } from '../../../ui/store.ts';
import { localConnection } from '../../../platform/connection.ts';
import { newWindowId } from '../../../platform/window-ids.ts';
import { DraftKeeper, type DraftState } from './draft-keeper.ts';

/** What the user chose, in milliseconds from the last key. */
export const draftPause = createStore<number>(defaultPreferences.draftPause);

/** Keeps the drafts of the server that a client speaks for. */
export function keeperOf(client: Pick<Client, 'app'>): DraftKeeper {
  return new DraftKeeper({
    api: {
      save: (id, draft) => client.app('PUT', `/drafts/${id}`, draft),
      remove: (id) => client.app('DELETE', `/drafts/${id}`),
    },
    window: newWindowId(),
    newId: () => crypto.randomUUID(),
    now: () => Date.now(),
    pause: draftPause.get,
  });
}

/** This window's drafts of the server that is worked on. */
export const DraftsContext = createContext(keeperOf(localConnection.client));

/** Whether the text of a tab is kept as a draft; `path` is that of its text model. */
export function useDraftState(path: string): DraftState {
  const keeper = use(DraftsContext);
  return useSyncExternalStore(keeper.subscribe, () => keeper.stateOf(path));
}
