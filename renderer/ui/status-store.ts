import { createContext, use, useSyncExternalStore } from 'react';

export interface CursorPlace {
  readonly line: number;
  readonly column: number;
}

export interface Status {
  /** What happened last, in words. */
  readonly message: string;
  readonly cursor?: CursorPlace;
}

/** What the status bar shows. Outside React's state, so that a moving cursor draws the bar and nothing else. */
export function createStatusStore() {
  let status: Status = { message: '' };
  const listeners = new Set<() => void>();
  const set = (next: Status) => {
    status = next;
    for (const listener of listeners) listener();
  };
  return {
    get: () => status,
    announce: (message: string) => set({ ...status, message }),
    moveCursor: (cursor: CursorPlace) => set({ ...status, cursor }),
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

/** Follows the status, for the bar that shows it. */
export function useStatus(): Status {
  const store = use(StatusContext);
  return useSyncExternalStore(store.subscribe, store.get);
}
