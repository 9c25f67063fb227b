import { createContext, use, useEffect } from 'react';
import { createStore, useStore } from './store.ts';

export interface CursorPosition {
  readonly line: number;
  readonly column: number;
}

export interface Status {
  /** Message about the last event. */
  readonly message: string;
  /** Details of the active record by name, for example its issues or the time of its draft. */
  readonly facts: Readonly<Record<string, string>>;
  readonly cursor?: CursorPosition;
}

/**
 * Creates the state of the status bar. It is outside React's state, so that a moving cursor renders only the
 * bar.
 */
export function createStatusStore() {
  const { get, set, subscribe } = createStore<Status>({ message: '', facts: {} });
  return {
    get,
    subscribe,
    announce: (message: string) => {
      if (message !== get().message) set({ ...get(), message });
    },
    moveCursor: (cursor: CursorPosition) => set({ ...get(), cursor }),
    setFact: (name: string, value: string | undefined) => {
      const remainingDetails = Object.entries(get().facts).filter(([detailName]) => detailName !== name);
      const details = Object.fromEntries(remainingDetails);
      set({ ...get(), facts: value === undefined ? details : { ...details, [name]: value } });
    },
  };
}

export const StatusContext = createContext(createStatusStore());

/** Returns the function that announces an event in the status bar and to screen readers. */
export function useAnnounce(): (message: string) => void {
  return use(StatusContext).announce;
}

/**
 * Shows a detail of the active record in the status bar while the component is mounted; undefined shows
 * nothing.
 */
export function useStatusFact(name: string, value: string | undefined): void {
  const { setFact } = use(StatusContext);
  useEffect(() => {
    setFact(name, value);
    return () => setFact(name, undefined);
  }, [setFact, name, value]);
}

/** Returns the current status for the status bar. */
export function useStatus(): Status {
  return useStore(use(StatusContext));
}
