import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { emptySession, WorkbenchSession } from '../../core/app/session.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { useConnection } from '../platform/connection.ts';
import type { SearchRuns } from './search-host.tsx';
import { searchKey, toTabSeed, type TabSeed } from './tab-kinds.ts';
import type { TabsState } from './tabs-state.ts';
import type { Workbench } from './use-workbench.ts';
import { findView } from './views.tsx';

/** Milliseconds from a change to the save: short enough to survive a kill, long enough to join a series of closings. */
const saveDelayMs = 300;

/** Index that stands for the search. */
const searchIndex = -1;

const doNothing = (): void => undefined;

/** Restores the last session, then saves changes. The last window that changes the session wins. */
export function useSession({ tabs, dispatch }: Workbench, runs: SearchRuns): void {
  const { client } = useConnection();
  const query = useQuery({
    queryKey: ['session'],
    queryFn: async () => {
      const response = await client.app('GET', '/session');
      return matchesSchema(WorkbenchSession, response) ? response : emptySession;
    },
    staleTime: Infinity,
  });

  const storedSession = query.data;
  const hasActed = useHasActed();
  const restore = useEffectEvent((session: WorkbenchSession) => {
    const seeds = toSeeds(session);
    // A user who is already working keeps the tab and the query.
    const active = hasActed.current ? searchIndex : seeds.active;
    dispatch({ type: 'restored', tabs: seeds.tabs, active, recent: session.recent });
    if (session.search && !tabs.tabQuery && !hasActed.current) runs.get(searchKey)?.(session.search);
  });
  const isRestored = useRef(false);
  useEffect(() => {
    if (!storedSession || isRestored.current) return;
    isRestored.current = true;
    restore(storedSession);
  }, [storedSession]);

  const isLoaded = storedSession !== undefined || query.isError;
  const sessionJson = JSON.stringify(toSession(tabs));
  const savedJson = useRef<string>(undefined);
  /** Saves pending changes immediately. */
  const pendingSave = useRef(doNothing);
  useEffect(() => {
    if (!isLoaded) return;
    // The first state is not saved: another window may have saved since.
    if (savedJson.current === undefined) {
      savedJson.current = storedSession ? JSON.stringify(storedSession) : '';
      return;
    }
    pendingSave.current = doNothing;
    if (sessionJson === savedJson.current) return;
    const save = () => {
      pendingSave.current = doNothing;
      savedJson.current = sessionJson;
      void client.app('PUT', '/session', JSON.parse(sessionJson)).catch(() => undefined);
    };
    pendingSave.current = save;
    const timer = setTimeout(save, saveDelayMs);
    return () => clearTimeout(timer);
  }, [client, isLoaded, storedSession, sessionJson]);
  // Save at once before the page closes or switches to another server.
  useEffect(() => {
    const flush = () => pendingSave.current();
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, []);
}

/** Becomes true with the first key, press or input. */
function useHasActed(): Readonly<RefObject<boolean>> {
  const hasActed = useRef(false);
  useEffect(() => {
    const markActed = () => void (hasActed.current = true);
    const eventNames = ['pointerdown', 'keydown', 'input'];
    for (const eventName of eventNames) window.addEventListener(eventName, markActed, true);
    return () => eventNames.forEach((eventName) => window.removeEventListener(eventName, markActed, true));
  }, []);
  return hasActed;
}

/** Returns the tabs to open, without unknown views. */
function toSeeds({ tabs, active }: WorkbenchSession): { tabs: readonly TabSeed[]; active: number } {
  const seeds = tabs.map((tab): TabSeed | undefined => {
    if (tab.kind !== 'view') return tab;
    const view = findView(tab.view);
    return view && { kind: 'view', view: view.id };
  });
  const knownSeeds = seeds.filter((seed) => seed !== undefined);
  const activeSeed = seeds[active];
  return { tabs: knownSeeds, active: activeSeed ? knownSeeds.indexOf(activeSeed) : searchIndex };
}

function toSession({ tabs, active, recent, tabQuery }: TabsState): WorkbenchSession {
  return {
    tabs: tabs.map(toTabSeed),
    active: tabs.findIndex(({ key }) => key === active),
    ...(tabQuery && { search: tabQuery.query }),
    recent,
  };
}
