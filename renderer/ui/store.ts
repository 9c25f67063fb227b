import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';

/** An observable value outside React's state. */
export interface Store<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  /** Adds a listener. Returns the function that removes it. */
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

/** Returns the value of a store. The component renders again on each change. */
export function useStore<T>({ subscribe, get }: Omit<Store<T>, 'set'>): T {
  return useSyncExternalStore(subscribe, get);
}

/** Consumes each value of a store once and empties the store. */
export function useConsumed<T extends object>(
  store: Store<T | undefined>,
  consume: (value: T) => void,
): void {
  const pendingValue = useStore(store);
  const handleValue = useEffectEvent((value: T) => {
    consume(value);
    store.set(undefined);
  });
  useEffect(() => {
    if (pendingValue) handleValue(pendingValue);
  }, [pendingValue]);
}
