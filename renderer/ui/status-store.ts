import { createContext, use, useEffect, useSyncExternalStore } from 'react';

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
  let status: Status = { message: '', facts: {} };
  const listeners = new Set<() => void>();
  const set = (next: Status) => {
    status = next;
    for (const listener of listeners) listener();
  };
  return {
    get: () => status,
    announce: (message: string) => set({ ...status, message }),
    moveCursor: (cursor: CursorPlace) => set({ ...status, cursor }),
    setFact: (name: string, words: string | undefined) => {
      const others = Object.entries(status.facts).filter(([one]) => one !== name);
      set({
        ...status,
        facts: Object.fromEntries(words === undefined ? others : [...others, [name, words]]),
      });
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
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
  const store = use(StatusContext);
  return useSyncExternalStore(store.subscribe, store.get);
}
