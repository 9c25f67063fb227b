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
const delay = 300;

/** In place of a tab's index. */
const inSearch = -1;

const idle = (): void => undefined;

/** Opens what was open at last, then keeps what is open; the last window that changes something has the last word. */
export function useSession({ tabs, dispatch }: WorkbenchTabs, runs: SearchRuns): void {
  const { client } = useConnection();
  const query = useQuery({
    queryKey: ['session'],
    queryFn: async () => {
      const kept = await client.app('GET', '/session');
      return is(WorkbenchSession, kept) ? kept : emptySession;
    },
    staleTime: Infinity,
  });

  const kept = query.data;
  const begun = useBegun();
  const restore = useEffectEvent((session: WorkbenchSession) => {
    const seeds = seedsOf(session);
    // Who works already stays where he is, with what he asks.
    const active = begun.current ? inSearch : seeds.active;
    dispatch({ type: 'restored', tabs: seeds.tabs, active, recent: session.recent });
    if (session.search && !tabs.asked && !begun.current) runs.get(searchKey)?.(session.search);
  });
  const restored = useRef(false);
  useEffect(() => {
    if (!kept || restored.current) return;
    restored.current = true;
    restore(kept);
  }, [kept]);

  const settled = kept !== undefined || query.isError;
  const session = JSON.stringify(sessionOf(tabs));
  const saved = useRef<string>(undefined);
  /** Saves at once what still waits. */
  const pending = useRef(idle);
  useEffect(() => {
    if (!settled) return;
    // What is there at the start is not written anew: another window may have gone on since.
    if (saved.current === undefined) {
      saved.current = kept ? JSON.stringify(kept) : '';
      return;
    }
    pending.current = idle;
    if (session === saved.current) return;
    const save = () => {
      pending.current = idle;
      saved.current = session;
      void client.app('PUT', '/session', JSON.parse(session)).catch(() => undefined);
    };
    pending.current = save;
    const timer = setTimeout(save, delay);
    return () => clearTimeout(timer);
  }, [client, settled, kept, session]);
  // The page turns to another server, or goes away: what is open here is kept at once.
  useEffect(() => {
    const flush = () => pending.current();
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, []);
}

/** Whether somebody has pressed or written anything here. */
function useBegun(): Readonly<RefObject<boolean>> {
  const begun = useRef(false);
  useEffect(() => {
    const note = () => void (begun.current = true);
    const acts = ['pointerdown', 'keydown', 'input'];
    for (const act of acts) window.addEventListener(act, note, true);
    return () => acts.forEach((act) => window.removeEventListener(act, note, true));
  }, []);
  return begun;
}

/** The tabs to open; a view that this page does not have is left out. */
function seedsOf({ tabs, active }: WorkbenchSession): { tabs: readonly TabSeed[]; active: number } {
  const seeds = tabs.map((tab): TabSeed | undefined => {
    if (tab.kind !== 'view') return tab;
    const view = viewOf(tab.view);
    return view && { kind: 'view', view: view.id };
  });
  const known = seeds.filter((seed) => seed !== undefined);
  const front = seeds[active];
  return { tabs: known, active: front ? known.indexOf(front) : inSearch };
}

function sessionOf({ tabs, active, recent, asked }: TabsState): WorkbenchSession {
  return {
    tabs: tabs.map(seedOf),
    active: tabs.findIndex(({ key }) => key === active),
    ...(asked && { search: asked.query }),
    recent,
  };
}
