import { createContext, use, useSyncExternalStore } from 'react';
import type { Client } from '../../../../core/api/client.ts';
import { defaultPreferences } from '../../../../core/app/preferences.ts';
import { createStore } from '../../../ui/store.ts';
import { localConnection } from '../../../platform/connection.ts';
import { newWindowId } from '../../../platform/window-ids.ts';
import { DraftAutosave, type DraftState } from './draft-autosave.ts';

/** Milliseconds from the last key to the save, as set by the user. */
export const draftPause = createStore<number>(defaultPreferences.draftPause);

/** Returns the draft autosave of a client's server. */
export function getDraftAutosave(client: Pick<Client, 'app'>): DraftAutosave {
  return new DraftAutosave({
    api: {
      save: (id, draft) => client.app('PUT', `/drafts/${id}`, draft),
      remove: (id) => client.app('DELETE', `/drafts/${id}`),
    },
    window: newWindowId(),
    newId: () => crypto.randomUUID(),
    now: () => Date.now(),
    getPauseMs: draftPause.get,
  });
}

export const DraftsContext = createContext(getDraftAutosave(localConnection.client));

/** Returns the draft state of a tab. `path` is the path of its text model. */
export function useDraftState(path: string): DraftState {
  const autosave = use(DraftsContext);
  return useSyncExternalStore(autosave.subscribe, () => autosave.stateOf(path));
}
