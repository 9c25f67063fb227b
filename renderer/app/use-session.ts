import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { emptySession, WorkbenchSession } from '../../core/app/session.ts';
import { is } from '../../core/json/shape.ts';
import { useConnection } from '../platform/connection.ts';
import type { SearchRuns } from './search-host.tsx';
import { searchKey, seedOf, type TabSeed } from './tab-kinds.ts';
import type { TabsState } from './tabs-state.ts';
import type { WorkbenchTabs } from './use-workbench.ts';
import { viewOf } from './views.tsx';

/** Milliseconds from a change to its saving: short enough for a kill, long enough for a row of closings. */
const saveDelayMs = 300;

/** In place of a tab's index. */
const searchIndex = -1;

const doNothing = (): void => undefined;

/** Opens what was open at last, then keeps what is open; the last window that changes something has the last word. */
export function useSession({ tabs, dispatch }: WorkbenchTabs, runs: SearchRuns): void {
  const { client } = useConnection();
  const query = useQuery({
    queryKey: ['session'],
    queryFn: async () => {
      const response = await client.app('GET', '/session');
      return is(WorkbenchSession, response) ? response : emptySession;
    },
    staleTime: Infinity,
  });

  const storedSession = query.data;
  const hasActed = useHasActed();
  const restore = useEffectEvent((session: WorkbenchSession) => {
    const seeds = toSeeds(session);
    // Who works already stays where he is, with what he asks.
    const active = hasActed.current ? searchIndex : seeds.active;
    dispatch({ type: 'restored', tabs: seeds.tabs, active, recent: session.recent });
    if (session.search && !tabs.asked && !hasActed.current) runs.get(searchKey)?.(session.search);
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
  /** Saves at once what still waits. */
  const pendingSave = useRef(doNothing);
  useEffect(() => {
    if (!isLoaded) return;
    // What is there at the start is not written anew: another window may have gone on since.
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
  // The page turns to another server, or goes away: what is open here is kept at once.
  useEffect(() => {
    const flush = () => pendingSave.current();
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, []);
}

/** Whether somebody has pressed or written anything here. */
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

/** The tabs to open; a view that this page does not have is left out. */
function toSeeds({ tabs, active }: WorkbenchSession): { tabs: readonly TabSeed[]; active: number } {
  const seeds = tabs.map((tab): TabSeed | undefined => {
    if (tab.kind !== 'view') return tab;
    const view = viewOf(tab.view);
    return view && { kind: 'view', view: view.id };
  });
  const knownSeeds = seeds.filter((seed) => seed !== undefined);
  const activeSeed = seeds[active];
  return { tabs: knownSeeds, active: activeSeed ? knownSeeds.indexOf(activeSeed) : searchIndex };
}

function toSession({ tabs, active, recent, asked: tabQuery }: TabsState): WorkbenchSession {
  return {
    tabs: tabs.map(seedOf),
    active: tabs.findIndex(({ key }) => key === active),
    ...(tabQuery && { search: tabQuery.query }),
    recent,
  };
}
