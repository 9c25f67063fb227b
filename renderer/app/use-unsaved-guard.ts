import { useEffect } from 'react';
import { desktop } from '../platform/desktop.ts';

/** Lets nobody leave unasked while edits are unsaved: the shell asks on quitting, the browser before unloading. */
export function useUnsavedGuard(count: number): void {
  useEffect(() => {
    if (desktop) {
      desktop.setUnsavedTabs(count);
      return;
    }
    if (count === 0) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [count]);
}
