import { createContext, use, useEffect } from 'react';
import { createStore, useStore } from './store.ts';

export interface CursorPlace {
  readonly line: number;
  readonly column: number;
}

export interface Status {
  /** What happened last, in words. */
  readonly message: string;
  /** Short facts of the record in front by name, such as its issues or the time of its draft. */
  readonly facts: Readonly<Record<string, string>>;
  readonly cursor?: CursorPlace;
}

/** What the status bar shows. Outside React's state, so that a moving cursor draws the bar and nothing else. */
export function createStatusStore() {
  const { get, set, subscribe } = createStore<Status>({ message: '', facts: {} });
  return {
    get,
    subscribe,
    announce: (message: string) => {
      if (message !== get().message) set({ ...get(), message });
    },
    moveCursor: (cursor: CursorPlace) => set({ ...get(), cursor }),
    setFact: (name: string, words: string | undefined) => {
      const others = Object.entries(get().facts).filter(([one]) => one !== name);
      const facts = Object.fromEntries(others);
      set({ ...get(), facts: words === undefined ? facts : { ...facts, [name]: words } });
    },
  };
}

export const StatusContext = createContext(createStatusStore());

/** Says in the status bar, and to screen readers, what has happened. */
export function useAnnounce(): (message: string) => void {
  return use(StatusContext).announce;
}

/** Shows a short fact of the record in front in the status bar while the component is mounted; undefined shows none. */
export function useStatusFact(name: string, words: string | undefined): void {
  const { setFact } = use(StatusContext);
  useEffect(() => {
    setFact(name, words);
    return () => setFact(name, undefined);
  }, [setFact, name, words]);
}

/** Follows the status, for the bar that shows it. */
export function useStatus(): Status {
  return useStore(use(StatusContext));
}
