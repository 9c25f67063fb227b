import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';

/** A value that lives outside React's state, and tells whoever follows it when it changes. */
export interface Store<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  /** Returns how to stop following. */
  readonly subscribe: (listener: () => void) => () => void;
}

export function createStore<T>(value: T): Store<T> {
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The value of a store; the component is drawn anew with each change. */
export function useStore<T>({ subscribe, get }: Omit<Store<T>, 'set'>): T {
  return useSyncExternalStore(subscribe, get);
}

/** Takes what is put into a store, once each; the store is empty again behind it. */
export function useTaken<T extends object>(store: Store<T | undefined>, take: (value: T) => void): void {
  const waiting = useStore(store);
  const taken = useEffectEvent((value: T) => {
    take(value);
    store.set(undefined);
  });
  useEffect(() => {
    if (waiting) taken(waiting);
  }, [waiting]);
}
