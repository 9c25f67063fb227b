import { useEffect, useState } from 'react';

/** Code that the page loads when it is first needed. */
export interface LazyModule<Content> {
  /** Loads it once. After a failure, the next call tries again. */
  readonly load: () => Promise<Content>;
  /** Returns its content if it is loaded. */
  readonly getLoaded: () => Content | undefined;
}

/** Thrown into the error boundary of a part of the page if its code can't be loaded. */
export class LoadFailure extends Error {}

export function createLazyModule<Content>(importContent: () => Promise<Content>): LazyModule<Content> {
  let loaded: Content | undefined;
  let loading: Promise<Content> | undefined;
  async function load(): Promise<Content> {
    try {
      loaded = await importContent();
      return loaded;
    } catch (cause) {
      loading = undefined;
      throw new LoadFailure('The code could not be loaded.', { cause });
    }
  }
  return { load: () => (loading ??= load()), getLoaded: () => loaded };
}

/**
 * Returns the content of a module; undefined until it is loaded. Suspense is not used: React delays content
 * after a fallback to avoid flicker, and the content would appear later.
 *
 * @throws {@link LoadFailure} if it can't be loaded, for the error boundary.
 */
export function useLazyModule<Content>({ load, getLoaded }: LazyModule<Content>): Content | undefined {
  const [state, setState] = useState<{ readonly loaded?: Content | undefined; readonly failure?: unknown }>(
    () => ({ loaded: getLoaded() }),
  );
  const isLoaded = state.loaded !== undefined;
  useEffect(() => {
    if (isLoaded) return;
    let isUnmounted = false;
    const update = (nextState: typeof state) => {
      if (!isUnmounted) setState(nextState);
    };
    load().then(
      (loaded) => update({ loaded }),
      (failure: unknown) => update({ failure }),
    );
    return () => {
      isUnmounted = true;
    };
  }, [isLoaded, load]);
  if ('failure' in state) throw state.failure;
  return state.loaded;
}
